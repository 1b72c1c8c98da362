"""Access control from files and libraries: secrets, certificates, libwrap; and the options."""
