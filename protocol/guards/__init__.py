"""What guards a door, from files and libraries: secrets, certificates, libwrap; and the options."""
