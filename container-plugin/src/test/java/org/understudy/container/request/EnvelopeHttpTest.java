package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.header;
import static org.understudy.container.Soap.notebook;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.NotebookService;
import org.understudy.test.cluster.Answer;

/** What gets through the service's door, and what does not, at a single replica. */
class EnvelopeHttpTest {
  @TempDir static Path directory;
  private static ServiceCluster site;

  @BeforeAll
  static void start() throws Exception {
    site = new ServiceCluster(directory, NotebookService.class, 1, Map.of("understudy.request.bytes", "3000000"));
  }

  @AfterAll
  static void stop() throws Exception {
    site.close();
  }

  @BeforeEach
  void empty() {
    assertEquals(200, site.call(1, envelope("", notebook("clear", null))).status());
    NotebookService.EXECUTIONS.set(0);
  }

  private static void refused(Answer answer, String why) {
    assertEquals(500, answer.status(), answer.text());
    assertTrue(answer.text().contains("<ur:Code>BadRequest</ur:Code>"), answer.text());
    assertTrue(answer.text().contains("<ur:Executed>no</ur:Executed>"), answer.text());
    assertTrue(answer.text().contains(why), answer.text());
    assertFalse(answer.text().contains("\tat "), "a stack trace: " + answer.text());
    assertEquals(0, NotebookService.EXECUTIONS.get());
  }

  private static Answer append(String text, String... typeAndHeaders) {
    return site.post(1, site.service(), envelope("", notebook("append", text)).getBytes(StandardCharsets.UTF_8),
        typeAndHeaders);
  }

  private static String text() {
    String body = site.call(1, envelope("", notebook("text", null))).body();
    return body.replaceAll("(?s).*<return>(.*)</return>.*|.*", "$1");
  }

  @Test
  void aPlainClientIsServed() {
    Answer answer = append("a", "text/xml");
    assertEquals(200, answer.status(), answer.text());
    assertEquals("a", answer.between("<return>", "</return>"));
    assertEquals("executed", answer.between("<ur:Status>", "</ur:Status>"));
    assertEquals("read",
        site.call(1, envelope("", notebook("text", null))).between("<ur:Status>", "</ur:Status>"));
  }

  @Test
  void soap12IsServedAndAnsweredInItsVersion() {
    byte[] request = envelope(Soap.SOAP12, "", notebook("append", "a")).getBytes(StandardCharsets.UTF_8);
    Answer answer = site.post(1, site.service(), request, "application/soap+xml; charset=UTF-8; action=\"anything\"");
    assertEquals(200, answer.status(), answer.text());
    assertTrue(answer.text().contains(Soap.SOAP12), answer.text());
    byte[] refusing = envelope(Soap.SOAP12, "", notebook("refuse", "b")).getBytes(StandardCharsets.UTF_8);
    Answer fault = site.post(1, site.service(), refusing, "application/soap+xml");
    assertEquals(500, fault.status());
    assertTrue(fault.text().contains("<soap:Reason>"), fault.text());
  }

  @Test
  void whatIsNoEnvelopeIsRefused() {
    refused(site.call(1, ""), "not well-formed");
    refused(site.call(1, "hello"), "not well-formed");
    refused(site.call(1, "<a/>"), "not a SOAP 1.1 or 1.2 envelope");
    refused(site.call(1, "<e:Envelope xmlns:e=\"" + Soap.SOAP11 + "\"/>"), "The Body of the envelope is missing");
    refused(site.call(1, envelope("", "")), "The body is empty");
    refused(site.call(1, envelope("", notebook("burn", null))), "no operation");
    refused(site.call(1, envelope("<a>", notebook("append", "x"))), "not well-formed");
  }

  @Test
  void truncatedBodyIsNotExecuted() {
    Answer answer = site.call(1, "<e:Envelope xmlns:e=\"" + Soap.SOAP11 + "\"><e:Body><n:append xmlns:n=\"urn:notebook\">"
        + "<text>x</text>");
    assertEquals(500, answer.status());
    assertTrue(answer.text().contains("soap:Client"), answer.text());
    assertEquals(0, NotebookService.EXECUTIONS.get());
  }

  @ParameterizedTest
  @ValueSource(strings = {Soap.SOAP11, Soap.SOAP12})
  void truncatedOrOverlongMessageIsNotExecuted(String soap) {
    String type = soap.equals(Soap.SOAP11) ? "text/xml" : "application/soap+xml";
    String append = notebook("append", "x");
    for (String body : List.of(append, notebook("clear", null), notebook("text", null))) {
      String whole = envelope(soap, "", body);
      for (String wrong : List.of(
          whole.substring(0, whole.length() - 3), whole.replace("</e:Envelope>", ""), whole.replace("</e:Body></e:Envelope>", ""),
          whole + "<x/>", whole + "x", whole.replace("</e:Body>", append + "</e:Body>"),
          whole.replace("</e:Envelope>", "<e:Body>" + append + "</e:Body></e:Envelope>"),
          whole.replace("</e:Envelope>", "<e:Header/></e:Envelope>"), whole.replace("</e:Body>", "&unknown;</e:Body>"))) {
        Answer answer = site.post(1, site.service(), wrong.getBytes(StandardCharsets.UTF_8), type);
        assertEquals(500, answer.status(), wrong + answer.text());
      }
      Answer commented = site.post(
          1, site.service(), (whole + " <!-- the end --><?the end?>\n").getBytes(StandardCharsets.UTF_8), type);
      assertEquals(200, commented.status(), commented.text());
    }
    // Once, for the message that is whole.
    assertEquals(1, NotebookService.EXECUTIONS.get());
  }

  @Test
  void doctypeIsRefused() {
    refused(site.call(1, "<!DOCTYPE a [<!ENTITY b \"c\">]>" + envelope("", notebook("append", "&amp;"))), "DOCTYPE");
  }

  @Test
  void whatIsTooLargeOrTooComplicatedIsRefused() {
    refused(append("x".repeat(3_000_000), "text/xml"), "larger than 3000000 bytes");
    String deep = "<a>".repeat(200) + "</a>".repeat(200);
    refused(site.call(1, envelope(deep, notebook("append", "x"))), "not well-formed");
    Answer many = site.call(1, envelope("", "<n:append xmlns:n=\"urn:notebook\">" + "<b/>".repeat(600_000) + "</n:append>"));
    assertEquals(500, many.status());
    assertEquals(0, NotebookService.EXECUTIONS.get());
  }

  @Test
  void invalidReplicationHeaderIsRefused() {
    String body = notebook("append", "x");
    for (String wrong : new String[] {
      "<Session>nonsense</Session>",
      "<Session>0123456789abcdef0123456789abcdeg</Session><Sequence>1</Sequence>",
      "<Session>0123456789abcdef0123456789abcdef</Session>",
      "<Session>0123456789abcdef0123456789abcdef</Session><Sequence>0</Sequence>",
      "<Session>0123456789abcdef0123456789abcdef</Session><Sequence>3</Sequence><AckBelow>4</AckBelow>",
      "<VersionHandle>1</VersionHandle>",
      "<VersionHandle>-1.2</VersionHandle>",
      "<VersionHandle>orders:1.2</VersionHandle>",
      "<Epoch>-1</Epoch>",
      "<ReadLevel>eventually</ReadLevel>",
      "<Sequence>" + "9".repeat(600) + "</Sequence>"
    }) {
      refused(site.call(1, envelope(header(wrong), body)), "is invalid");
    }
    refused(site.call(1, envelope(header("") + header(""), body)), "two ReplicationHeaders");
  }

  @Test
  void anInventedSessionIsRefused() {
    Answer answer = site.call(1, envelope(header("0123456789abcdef0123456789abcdef", 1, 1), notebook("append", "x")));
    assertEquals("SessionExpired", answer.between("<ur:Code>", "</ur:Code>"));
    assertEquals(0, NotebookService.EXECUTIONS.get());
  }

  @Test
  void actionIsOnlyAHint() {
    for (String action : new String[] {"", "\"\"", "nonsense", "\"urn:notebook/Notebook/text#\"", "urn:notebook/Notebook/text"}) {
      assertEquals(200, append("a", "text/xml", "SOAPAction", action).status(), action);
    }
    assertEquals("aaaaa", text());
  }

  @Test
  void headersMarkedMustUnderstandAreUnderstoodOrRefused() {
    String wsa = " xmlns:a=\"http://www.w3.org/2005/08/addressing\" e:mustUnderstand=\"1\"";
    String headers = "<a:To" + wsa + ">urn:x</a:To><a:Action" + wsa + ">urn:y</a:Action><a:MessageID" + wsa
        + ">urn:uuid:must</a:MessageID>";
    Answer answer = site.call(1, envelope(headers, notebook("append", "a")));
    assertEquals(200, answer.status(), answer.text());
    assertEquals(
        "urn:uuid:must", answer.between("<wsa:RelatesTo xmlns:wsa=\"http://www.w3.org/2005/08/addressing\">", "</wsa:RelatesTo>"));
    assertTrue(answer.between("<wsa:Action", "</wsa:Action>").endsWith(">urn:notebook:Notebook:appendResponse"), answer.text());
    // An xs:boolean may have white space around it.
    for (String must : new String[] {"1", " 1 ", "&#9;1&#10;"}) {
      Answer other = site.call(1, envelope("<o xmlns=\"urn:o\" e:mustUnderstand=\"" + must + "\"/>", notebook("append", "b")));
      assertEquals(500, other.status(), must);
      assertTrue(other.text().contains("MustUnderstand"), other.text());
    }
    assertEquals(200, site.call(1, envelope("<o xmlns=\"urn:o\" e:mustUnderstand=\" 0 \"/>", notebook("text", null))).status());
    assertEquals("a", text());
  }

  @Test
  void bothParsersSeeTheSameText() throws Exception {
    String update = envelope("", notebook("append", "é"));
    String declared = "<?xml version=\"1.0\" encoding=\"%s\"?>" + update;
    assertEquals(200, site.post(1, site.service(), update.getBytes(StandardCharsets.ISO_8859_1),
        "text/xml; charset=ISO-8859-1").status());
    assertEquals(200, site.post(1, site.service(), String.format(declared, "iso-8859-1")
        .getBytes(StandardCharsets.ISO_8859_1), "text/xml").status());
    assertEquals(200, site.post(1, site.service(), String.format(declared, "UTF-16")
        .getBytes(StandardCharsets.UTF_16), "text/xml").status());
    assertEquals(200, site.post(1, site.service(), ("\ufeff" + update)
        .getBytes(StandardCharsets.UTF_8), "text/xml; charset=\"utf-8\"").status());
    assertEquals("éééé", text());
    NotebookService.EXECUTIONS.set(0);

    // In UTF-8 the CDATA section ends before the read; in GBK the bracket is half a letter and the section goes on.
    byte[] polyglot = ("<e:Envelope xmlns:e=\"" + Soap.SOAP11 + "\"><e:Header><h><![CDATA[\u3042]]></h></e:Header><e:Body>"
        + notebook("text", null) + "</e:Body></e:Envelope>").getBytes(StandardCharsets.UTF_8);
    refused(site.post(1, site.service(), polyglot, "text/xml; charset=GBK"), "charset");
    refused(site.post(1, site.service(), "<?xml version=\"1.0\" encoding=\"GBK\"?><a/>".getBytes(
        Charset.forName("US-ASCII")), "text/xml"), "charset");
    refused(site.post(1, site.service(), new byte[] {(byte) 0xdc, 0, (byte) 0xdc, 0}, "text/xml; charset=utf-16be"),
        "not valid text");
  }

  @Test
  void onlyPostToTheServiceIsACall() throws Exception {
    byte[] body = envelope("", notebook("append", "x")).getBytes(StandardCharsets.UTF_8);
    assertEquals(404, site.post(1, "/services/Other", body, "text/xml").status());
    assertEquals(404, site.post(1, "/services/NotebookServices", body, "text/xml").status());
    var put = java.net.http.HttpRequest.newBuilder(site.uri(1, site.service()))
        .header("Content-Type", "text/xml").PUT(java.net.http.HttpRequest.BodyPublishers.ofByteArray(body)).build();
    var http = java.net.http.HttpClient.newHttpClient();
    assertEquals(405, http.send(put, java.net.http.HttpResponse.BodyHandlers.discarding()).statusCode());
    var get = java.net.http.HttpRequest.newBuilder(site.uri(1, site.service() + "/append?text=x")).build();
    assertEquals(405, http.send(get, java.net.http.HttpResponse.BodyHandlers.discarding()).statusCode());
    assertEquals(0, NotebookService.EXECUTIONS.get());
    var wsdl = java.net.http.HttpRequest.newBuilder(site.uri(1, site.service() + "?wsdl")).build();
    assertTrue(http.send(wsdl, java.net.http.HttpResponse.BodyHandlers.ofString()).body().contains("definitions"));
  }

  @Test
  void faultsDoNotRevealInternals() {
    Answer declared = site.call(1, envelope("", notebook("refuse", "a")));
    assertEquals(500, declared.status());
    assertTrue(declared.text().contains("No &lt;more> &amp; no less.")
        || declared.text().contains("No &lt;more&gt; &amp; no less."), declared.text());
    Answer unexpected = site.call(1, envelope("", notebook("stumble", "b")));
    assertEquals(500, unexpected.status());
    assertFalse(unexpected.text().contains("NotebookService"), unexpected.text());
    assertEquals("ab", text());
  }

  @Test
  void anOperationWithoutAResponseIsAccepted() {
    Answer answer = site.call(1, envelope("", notebook("note", "a")));
    assertEquals(202, answer.status(), answer.text());
    assertEquals(0, answer.bytes().length);
    assertEquals("a", text());
  }

  @Test
  void updateBehindAReadElementIsNotExecuted() {
    site.call(1, envelope("", notebook("text", null) + notebook("append", "x")));
    site.call(1, envelope("<n:append xmlns:n=\"urn:notebook\"><text>x</text></n:append>", notebook("text", null)));
    assertEquals(0, NotebookService.EXECUTIONS.get());
    assertEquals("", text());
  }

  @Test
  void invalidBytesGetAnAnswerAndTheServerKeepsServing() {
    byte[] good = envelope(header("<Epoch>1</Epoch>") + Soap.messageId("urn:x"), notebook("append", "a"))
        .getBytes(StandardCharsets.UTF_8);
    Random random = new Random(4711);
    for (int i = 0; i < 1_500; i++) {
      byte[] bad = i % 4 == 0 ? Arrays.copyOf(good, random.nextInt(good.length)) : good.clone();
      for (int j = 0; j < 1 + i % 4 && bad.length > 0; j++) {
        bad[random.nextInt(bad.length)] = (byte) (i % 2 == 0 ? random.nextInt(256) : "<>&\"'/!-[] ".charAt(random.nextInt(11)));
      }
      Answer answer = site.post(1, site.service(), bad, i % 3 == 0 ? "text/xml" : "text/xml; charset=UTF-8");
      assertTrue(answer.status() == 200 || answer.status() == 500, new String(bad, StandardCharsets.ISO_8859_1));
      assertTrue(answer.text().startsWith("<soap:Envelope"), answer.text());
      assertFalse(answer.text().contains("\tat "), answer.text());
    }
    assertEquals(200, append("b", "text/xml").status());
    assertTrue(site.health(1, "live").body().contains("\"load\":0"));
  }
}
