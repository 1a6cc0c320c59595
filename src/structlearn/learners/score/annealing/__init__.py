"""Chains of random changes at a temperature."""
