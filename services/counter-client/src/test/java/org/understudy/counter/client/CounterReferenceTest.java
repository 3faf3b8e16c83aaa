package org.understudy.counter.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.xml.ws.wsaddressing.W3CEndpointReference;
import java.io.StringReader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CounterReferenceTest {
  private static final String REFERENCE = "<a:EndpointReference xmlns:a=\"http://www.w3.org/2005/08/addressing\">"
      + "<a:Address>http://one:8081/counter/services/CounterService/7f</a:Address>"
      + "<a:ReferenceParameters><r:Id xmlns:r=\"urn:r\">7f</r:Id></a:ReferenceParameters>%s</a:EndpointReference>";
  private static final List<URI> REPLICAS = List.of(
      URI.create("http://one:8081/counter/services/CounterService"),
      URI.create("http://two:8082/counter/services/CounterService"));

  @TempDir private Path directory;

  private Path file(String text) throws Exception {
    return Files.writeString(directory.resolve("counter.epr"), text);
  }

  private String refused(String text) throws Exception {
    return assertThrows(CounterException.class, () -> CounterReference.readFrom(file(text))).getMessage();
  }

  private static W3CEndpointReference given(String metadata) {
    return new W3CEndpointReference(new StreamSource(new StringReader(REFERENCE.formatted(metadata))));
  }

  @Test
  void replicasAreAddedToTheMetadata() throws Exception {
    String described = "<a:Metadata><d:Described xmlns:d=\"urn:d\">well</d:Described></a:Metadata>";
    for (String metadata : List.of("", described)) {
      Path file = directory.resolve("written.epr");
      new CounterReference(given(metadata), REPLICAS).writeTo(file);
      CounterReference read = CounterReference.readFrom(file);
      assertEquals(REPLICAS, read.replicas());
      assertEquals("http://one:8081/counter/services/CounterService/7f", read.address());
      assertTrue(read.endpoint().toString().matches("(?s).*Id[^>]*>7f<.*"), read.endpoint().toString());
      assertEquals(!metadata.isEmpty(), read.endpoint().toString().contains(">well<"), read.endpoint().toString());
    }
  }

  @Test
  void writtenReferenceIsValid() throws Exception {
    Path file = directory.resolve("written.epr");
    new CounterReference(given(""), REPLICAS).writeTo(file);
    SchemaFactory factory = SchemaFactory.newDefaultInstance();
    factory.setProperty(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "file,jar:file");
    Schema schema = factory.newSchema(CounterReference.class.getResource("/wsdl/standard/ws-addr.xsd"));
    schema.newValidator().validate(new StreamSource(file.toFile()));
  }

  @Test
  void foreignReferenceLeadsToTheReplicaAtItsAddress() throws Exception {
    assertEquals(REPLICAS.subList(0, 1), CounterReference.readFrom(file(REFERENCE.formatted(""))).replicas());
  }

  @Test
  void invalidReferenceIsRefusedInOneSentence() throws Exception {
    assertTrue(refused("<counter/>").contains("begins with counter"));
    assertTrue(refused("<a:EndpointReference xmlns:a=\"http://www.w3.org/2005/08/addressing\"/>").contains("no endpoint"));
    assertTrue(refused("nothing").contains("holds no endpoint reference"));
    assertTrue(refused("<!DOCTYPE a:EndpointReference [<!ENTITY e SYSTEM \"file:///etc/hostname\">]>"
        + REFERENCE.formatted("<x>&e;</x>")).contains("DOCTYPE"));
    assertTrue(refused(REFERENCE.formatted("<x>" + "x".repeat(100_000) + "</x>")).contains("longer than"));
    assertTrue(refused(REFERENCE.formatted("<a:Metadata><c:Replicas xmlns:c=\"urn:understudy:counter-client:1\"><c:Replica>"
        + "not a URL</c:Replica></c:Replicas></a:Metadata>")).contains("not a URL"));
    String missing = assertThrows(
        CounterException.class, () -> CounterReference.readFrom(directory.resolve("none"))).getMessage();
    assertTrue(missing.contains("does not exist") && missing.contains("--epr"), missing);
  }

  @Test
  void unwritableFileIsReported() {
    Path nowhere = directory.resolve("no/such/directory");
    assertThrows(CounterException.class, () -> new CounterReference(given(""), REPLICAS).writeTo(nowhere));
    assertFalse(Files.exists(nowhere));
  }
}
