"""IR in, better IR out: names, schemas, texts. Each pass is a function of one module, called `apply`."""
