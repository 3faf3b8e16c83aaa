package org.understudy.durability.mapping;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.soap.xml.HardenedXmlReader;
import org.understudy.soap.xml.XmlLimits;

/**
 * Reads durability mappings. It checks all that does not need the classes: elements, attributes, names, calls, and the form of
 * statements. A mapping has at most {@value #MAX_BYTES} bytes and no DOCTYPE.
 */
public final class MappingReader {
  /** The maximum size of a mapping. */
  public static final int MAX_BYTES = 1 << 20;

  private static final HardenedXmlReader XML = new HardenedXmlReader(new XmlLimits(20, 20_000, 20, 8_192, MAX_BYTES, MAX_BYTES));

  private MappingReader() {}

  /**
   * Reads a file.
   *
   * @throws MappingException when the mapping is invalid; its message names the file without its directory
   */
  public static DurabilityMapping read(Path file) throws IOException, MappingException {
    try (InputStream in = Files.newInputStream(file)) {
      return read(String.valueOf(file.getFileName()), in.readNBytes(MAX_BYTES + 1));
    }
  }

  /**
   * Reads a mapping.
   *
   * @param file its name in messages
   * @throws MappingException when the mapping is invalid, with all problems that were found
   */
  public static DurabilityMapping read(String file, byte[] bytes) throws MappingException {
    if (bytes.length > MAX_BYTES) {
      throw invalid(new Place(file, 1, 1, "<durability>"), "The mapping is larger than " + MAX_BYTES + " bytes.");
    }
    List<MappingProblem> problems = new ArrayList<>();
    XmlElement root = root(file, bytes, problems);
    if (!root.name().equals("durability")) {
      throw invalid(root.place(), "The root element is durability in the namespace " + XmlElement.NAMESPACE + ".");
    }
    DurabilityMapping mapping = problems.isEmpty() ? new RootReader(problems).read(root) : null;
    if (!problems.isEmpty()) {
      throw new MappingException(problems);
    }
    return mapping;
  }

  private static XmlElement root(String file, byte[] bytes, List<MappingProblem> problems) throws MappingException {
    try {
      XMLStreamReader2 in = XML.open(bytes, 0, bytes.length, null);
      HardenedXmlReader.toRoot(in);
      XmlElement root = XmlElement.read(file, in, problems);
      while (in.hasNext()) {
        in.next();
      }
      return root;
    } catch (XMLStreamException e) {
      boolean located = e.getLocation() != null && e.getLocation().getLineNumber() > 0;
      Place place = located
          ? new Place(file, e.getLocation().getLineNumber(), Math.max(1, e.getLocation().getColumnNumber()), "")
          : new Place(file, 1, 1, "");
      throw invalid(place, "The file is not a mapping in XML: " + HardenedXmlReader.reason(e));
    }
  }

  private static MappingException invalid(Place place, String text) {
    return new MappingException(List.of(new MappingProblem(place, text)));
  }
}
