"""The answer to `help`: one line of usage for each verb, read from the models."""

from functools import cache

from protocol.messages import ANALYSER_MESSAGES, Info, Message, to_text


def usage(message_type: type[Message]) -> Info:
    """Return one line: the verb, its fields (those with a key in any order), its meaning."""
    words = [message_type.verb]
    words += [name.upper() for name in message_type.positional]
    if message_type.rest:
        words.append(f"{message_type.rest.upper()}...")
    for name, field in message_type.model_fields.items():
        if name not in message_type.positional and name != message_type.rest:
            words.append(f"{name}=..." if field.is_required() else f"[{name}=...]")
    meaning = (message_type.__doc__ or "").partition("\n")[0]
    return Info(text=to_text(f"{' '.join(words):<44} {meaning}"))


@cache
def usage_lines() -> tuple[Info, ...]:
    """Return one line for each message of an analyser link."""
    return tuple(usage(message_type) for message_type in ANALYSER_MESSAGES)
