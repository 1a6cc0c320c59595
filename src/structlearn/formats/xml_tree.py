"""The elements of an XML file with the lines where they begin, and texts made fit for XML.

Nothing outside the file is read, and entities are refused: a few of them make a text of any length.
"""

import re
from dataclasses import dataclass, field
from io import StringIO
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl, InputSource, Locator

from structlearn.errors import DataError, needing

DEEPEST = 64
KEPT_SPACE = "xml:space"

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(slots=True)
class Element:
    """An element: its tag without prefix, attributes, own text and children, and the line it begins in."""

    tag: str
    attributes: dict[str, str]
    line: int
    text: str = ""
    children: list["Element"] = field(default_factory=list)

    def error(self, reason: str) -> DataError:
        """Make an error that names the line."""
        return DataError(f"line {self.line}: {reason}")

    def all(self, tag: str) -> list["Element"]:
        """The children with a tag."""
        return [child for child in self.children if child.tag == tag]

    def only(self, tag: str) -> "Element":
        """The one child with a tag, which must be there."""
        found = self.all(tag)
        if len(found) != 1:
            raise self.error(f"<{self.tag}> should have one <{tag}>, and has {len(found)}.")
        return found[0]

    def attribute(self, name: str) -> str:
        """An attribute that must be there."""
        if name not in self.attributes:
            raise self.error(f'<{self.tag}> lacks {name}="…".')
        return self.attributes[name]

    @property
    def word(self) -> str:
        """The text without the blanks around it, unless `xml:space` says that they belong to it."""
        return self.text if self.attributes.get(KEPT_SPACE) == "preserve" else self.text.strip(" \t\r\n")


def parse_xml(text: str, root: str) -> Element:
    """Read a file whose outermost element has the tag `root`."""
    with needing("defusedxml", "Reading XML safely"):
        from defusedxml import DefusedXmlException  # noqa: PLC0415, other formats do without
        from defusedxml.sax import make_parser  # noqa: PLC0415, as above

    builder = _Builder()
    parser = make_parser()
    parser.setContentHandler(builder)
    source = InputSource()
    source.setCharacterStream(StringIO(text))
    try:
        parser.parse(source)
    except SAXParseException as error:
        raise DataError(f"line {error.getLineNumber()}: this is not XML: {error.getMessage()}.") from None
    except DefusedXmlException:
        raise DataError(
            f"line {parser.getLineNumber()}: the file declares an entity or refers to another file, which "
            "is refused for safety."
        ) from None
    except UnicodeEncodeError:
        raise DataError("the file has half a character, which XML cannot hold.") from None
    if builder.root.tag != root:
        raise builder.root.error(f"expected <{root}>, found <{builder.root.tag}>.")
    return builder.root


def checked(text: str, form: str) -> str:
    """Refuse a text with a character that XML cannot hold."""
    found = _NOT_IN_XML.search(text)
    if found:
        raise DataError(f"{form} cannot hold {found[0]!r} in the name {text!r}; rename it, or use .json.")
    return text


def element(tag: str, word: str, form: str) -> str:
    """Write an element around a word, such that readers who strip blanks leave those of the word."""
    kept = f' {KEPT_SPACE}="preserve"' if word != word.strip() else ""
    return f"<{tag}{kept}>{escaped(checked(word, form))}</{tag}>"


def escaped(text: str) -> str:
    """Write a text such that none of it reads as markup, in an element or an attribute."""
    for mark, entity in _ENTITIES.items():
        text = text.replace(mark, entity)
    return text


_ENTITIES = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "\r": "&#13;",
}
"""The ampersand first; a carriage return would be read as a line end."""


class _Builder(ContentHandler):
    """Makes elements of what the parser finds."""

    root: Element

    def __init__(self) -> None:
        super().__init__()
        self._open: list[Element] = []
        self._texts: list[list[str]] = []
        self._locator: Locator

    def setDocumentLocator(self, locator: Locator) -> None:  # noqa: N802, the name is SAX's
        self._locator = locator

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802, as above
        line = self._locator.getLineNumber() or 1
        new = Element(name.rpartition(":")[2], dict(attrs.items()), line)
        if len(self._open) == DEEPEST:
            raise new.error("the elements nest too deeply.")
        if self._open:
            self._open[-1].children.append(new)
        else:
            self.root = new
        self._open.append(new)
        self._texts.append([])

    def characters(self, content: str) -> None:
        self._texts[-1].append(content)

    def endElement(self, name: str) -> None:  # noqa: ARG002, N802, as above
        self._open.pop().text = "".join(self._texts.pop())
