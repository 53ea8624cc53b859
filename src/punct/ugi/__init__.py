"""UGI, the Universal Game Interface: any player as an engine for match runners and boards, and engines as players."""

from punct.ugi.client import UgiEngine, UgiProgram
from punct.ugi.conversation import Conversation, Ponderer, Thinker
from punct.ugi.errors import Fault, OptionError, ProgramFaultError
from punct.ugi.options import Option
from punct.ugi.serving import serve

__all__ = [
    "Conversation",
    "Fault",
    "Option",
    "OptionError",
    "Ponderer",
    "ProgramFaultError",
    "Thinker",
    "UgiEngine",
    "UgiProgram",
    "serve",
]
