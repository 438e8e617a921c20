"""Checks of a built server, or of any command or URL that serves MCP, each with an id.

subject.py            what is checked: a project folder, a command, a URL
child.py, conversation.py, http_exchange.py     bounded processes, and strict clients of both transports
survey.py, context.py what one conversation found, asked for once and shared by the checks
checks/               the checks, grouped by what they look at; table.py lists them in their order
run.py                runs them; nothing a server does ends in an exception
"""
