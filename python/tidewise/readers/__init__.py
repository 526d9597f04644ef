"""Readers of formats that other libraries decode; each returns xarray or pandas objects."""
