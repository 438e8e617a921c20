"""The intermediate representation and its JSON form."""
