package org.understudy.state;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.Serializer;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;
import jakarta.xml.bind.JAXBContext;
import jakarta.xml.bind.JAXBElement;
import jakarta.xml.bind.JAXBException;
import jakarta.xml.bind.Marshaller;
import jakarta.xml.bind.SchemaOutputResolver;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.transform.Result;
import javax.xml.transform.stream.StreamResult;
import org.understudy.soap.xml.HardenedXmlReader;

/** The form of an object of a JAXB class: XML. References into and out of its graph are not preserved. */
final class XmlForm extends Serializer<Object> {
  private static final QName ROOT = new QName("state");

  private final JAXBContext context;
  private final Class<?> type;

  XmlForm(JAXBContext context, Class<?> type) {
    this.context = context;
    this.type = type;
  }

  /** @throws StateException when JAXB rejects the class, or is missing */
  static JAXBContext context(Class<?> type) {
    try {
      return JAXBContext.newInstance(type);
    } catch (JAXBException | LinkageError e) {
      throw new StateException(type.getName() + ": the class cannot be captured as XML: " + firstLine(e) + ".");
    }
  }

  private static String firstLine(Throwable e) {
    return e.toString().lines().findFirst().orElse("");
  }

  /** Returns the schema of the class with sorted lines, because the order of declarations in JAXB varies. */
  static String schema(JAXBContext context) {
    List<StringWriter> documents = new ArrayList<>();
    try {
      context.generateSchema(
          new SchemaOutputResolver() {
            @Override
            public Result createOutput(String namespace, String suggested) {
              StringWriter document = new StringWriter();
              documents.add(document);
              StreamResult result = new StreamResult(document);
              result.setSystemId(suggested);
              return result;
            }
          });
    } catch (IOException e) {
      throw new IllegalStateException("Nothing is written to a disk.", e);
    }
    return documents.stream().flatMap(document -> document.toString().lines()).map(String::strip).sorted().collect(Collectors.joining());
  }

  @Override
  public void write(Kryo kryo, Output output, Object object) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      Marshaller marshaller = context.createMarshaller();
      marshaller.setProperty(Marshaller.JAXB_FRAGMENT, true);
      marshaller.marshal(element(type, object), bytes);
    } catch (JAXBException e) {
      throw new StateException("a " + type.getName() + " cannot be captured as XML: " + firstLine(e) + ".");
    }
    byte[] written = bytes.toByteArray();
    try {
      // JAXB writes characters that XML excludes, and any depth.
      read(written);
    } catch (JAXBException | XMLStreamException e) {
      throw new StateException("a " + type.getName() + " cannot be captured as XML, since no replica could read it: " + reason(e) + ".");
    }
    output.writeVarInt(written.length, true);
    output.writeBytes(written);
  }

  private static <T> JAXBElement<T> element(Class<T> type, Object object) {
    return new JAXBElement<>(ROOT, type, type.cast(object));
  }

  @Override
  public Object read(Kryo kryo, Input input, Class<? extends Object> read) {
    int length = input.readVarInt(true);
    if (length < 0 || length > input.limit() - input.position()) {
      throw new StateException("a " + type.getName() + " cannot be read from captured XML: its length " + length + " is invalid.");
    }
    try {
      return read(input.readBytes(length));
    } catch (JAXBException | XMLStreamException e) {
      throw new StateException("a " + type.getName() + " cannot be read from captured XML: " + reason(e) + ".");
    }
  }

  private Object read(byte[] bytes) throws JAXBException, XMLStreamException {
    XMLStreamReader reader = HardenedXmlReader.openCopy(bytes, bytes.length);
    HardenedXmlReader.toRoot(reader);
    return context.createUnmarshaller().unmarshal(reader, type).getValue();
  }

  /** JAXB names the parser's exception in a later line only. */
  private static String reason(Exception e) {
    return firstLine(e instanceof JAXBException && e.getCause() != null ? e.getCause() : e);
  }
}
