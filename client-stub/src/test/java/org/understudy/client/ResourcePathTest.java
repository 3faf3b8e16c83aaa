package org.understudy.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.xml.ws.EndpointReference;
import jakarta.xml.ws.wsaddressing.W3CEndpointReference;
import java.io.StringReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.transform.stream.StreamSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A resource is found again at every replica, and never mistaken for the service or another resource. */
class ResourcePathTest {
  private static final URI ONE = URI.create("http://a:8080/app/services/Counter");
  private static final URI TWO = URI.create("https://b/other/services/Counter");
  private static final List<URI> REPLICAS = List.of(ONE, TWO);

  private static EndpointReference reference(String address, String parameters) {
    String xml = "<w:EndpointReference xmlns:w=\"http://www.w3.org/2005/08/addressing\"><w:Address> " + address
        + "\n</w:Address>" + (parameters == null ? "" : "<w:ReferenceParameters>" + parameters + "</w:ReferenceParameters>")
        + "</w:EndpointReference>";
    return new W3CEndpointReference(new StreamSource(new StringReader(xml)));
  }

  private static URI at(String address, URI replica) {
    return ResourcePath.of(address, REPLICAS).at(replica);
  }

  @ParameterizedTest
  @CsvSource({
    "http://a:8080/app/services/Counter/17, /17",
    "https://b/other/services/Counter/17, /17",
    "http://a:8080/app/services/Counter/17/x?y=z, /17/x?y=z",
    "http://a:8080/app/services/Counter/a%20b%2Fc, /a%20b%2Fc",
    // The replicas are known under other host names here.
    "http://public.example/app/services/Counter/17, /17",
    "http://public.example/other/services/Counter/17, /17"
  })
  void anAddressBelowAReplicaIsTheSameResourceAtAll(String address, String suffix) {
    assertEquals(URI.create(ONE + suffix), at(address, ONE));
    assertEquals(URI.create(TWO + suffix), at(address, TWO));
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "http://a:8080/app/services/Counter",
    // The slash is dropped from the addresses of replicas, too.
    "http://a:8080/app/services/Counter/",
    "http://public.example/other/services/Counter/",
    "http://public.example/app/services/Counter",
    "http://a:8080/app/services/Counters/17",
    "http://a:8080/app/services",
    "http://elsewhere/",
    "http://elsewhere",
    "urn:uuid:1"
  })
  void everyOtherAddressIsTheServiceItself(String address) {
    assertSame(ResourcePath.SERVICE, ResourcePath.of(address, REPLICAS));
    assertSame(ONE, at(address, ONE));
  }

  @Test
  void aServiceAtTheRootHasResources() {
    URI root = URI.create("http://a:8080");
    assertEquals(URI.create("http://a:8080/17"), ResourcePath.of("http://a:8080/17", List.of(root)).at(root));
    assertSame(ResourcePath.SERVICE, ResourcePath.of("http://a:8080", List.of(root)));
  }

  @Test
  void theFirstReplicaThatFitsWordForWordGoesBeforeOneThatFitsByPathOnly() {
    URI outer = URI.create("http://a/app");
    URI inner = URI.create("http://b/app/x");
    ResourcePath path = ResourcePath.of("http://b/app/x/1", List.of(outer, inner));
    assertEquals(URI.create("http://b/app/x/1"), path.at(inner));
  }

  @Test
  void anEndpointBesideTheServiceIsFoundBesideEachReplica() {
    ResourcePath path = ResourcePath.of(reference("http://a:8080/app/services/SubscriptionManager/9", null), REPLICAS);
    assertEquals(URI.create("http://a:8080/app/services/SubscriptionManager/9"), path.at(ONE));
    assertEquals(URI.create("https://b/other/services/SubscriptionManager/9"), path.at(TWO));
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://a:8080/elsewhere/17", "http://a:8080", "urn:uuid:1", "http://a:8080/app/servicesX/1"})
  void aReferenceToSomethingElseIsRefused(String address) {
    EndpointReference reference = reference(address, null);
    String sentence =
        assertThrows(IllegalArgumentException.class, () -> ResourcePath.of(reference, REPLICAS)).getMessage();
    assertTrue(sentence.contains(address) && sentence.contains(ONE.toString()), sentence);
  }

  @Test
  void referenceParametersBecomeHeaderBlocksWithTheirNamespaces() {
    String parameters = "<r:Id xmlns:r=\"urn:r\" kind=\"x\">1 &lt; 2</r:Id>\n<Other>\u20ac</Other>";
    ResourcePath path = ResourcePath.of(reference(ONE + "/17", parameters), REPLICAS);
    String blocks = new String(path.headerBlocks(), StandardCharsets.UTF_8);
    assertTrue(blocks.contains("xmlns:r=\"urn:r\"") && blocks.contains("1 &lt; 2"), blocks);
    assertTrue(blocks.contains("\u20ac"), blocks);
    assertEquals(2, blocks.split("IsReferenceParameter=\"true\"", -1).length - 1, blocks);
    assertFalse(blocks.contains("<?xml"), blocks);
    assertEquals(URI.create(TWO + "/17"), path.at(TWO));
  }

  @Test
  void aReferenceWithoutParametersHasNoBlocks() {
    assertEquals(0, ResourcePath.of(reference(ONE + "/17", null), REPLICAS).headerBlocks().length);
    assertEquals(0, ResourcePath.of(reference(ONE + "/17", " <!-- none --> "), REPLICAS).headerBlocks().length);
  }

  @Test
  void aReferenceToTheServiceItselfMayEndWithASlash() {
    ResourcePath path = ResourcePath.of(reference(ONE + "/", "<Id>1</Id>"), REPLICAS);
    assertEquals(TWO, path.at(TWO));
    assertTrue(path.headerBlocks().length > 0, "its parameters name the resource");
  }

  @Test
  void theServiceOfAReferenceIsOneSegmentUp() {
    assertEquals(ONE, ResourcePath.serviceOf(reference(ONE + "/17", null)));
  }
}
