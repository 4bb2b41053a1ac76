"""Adapter between an OpenAI-style API and an LLM engine."""
