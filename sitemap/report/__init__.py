"""One writer per form: text, json."""
