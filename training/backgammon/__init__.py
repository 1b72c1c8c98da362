"""The training of the evaluation nets: a pipeline of commands; see README.md here."""
