package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.soap.SOAPBinding;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.client.FaultTolerant;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.Album;
import org.understudy.container.service.AlbumService;
import org.understudy.container.service.ForeignNotebookService;
import org.understudy.soap.envelope.FaultBody;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;

/** Messages with attachments, and envelopes that another writer than CXF's usual one has made. */
@ForEachStrategy
class ForeignFormsHttpTest {
  private static final String TYPE =
      "multipart/related; type=\"application/xop+xml\"; boundary=\"of the; test\"; start=\"<root>\"; start-info=\"text/xml\"";

  @TempDir private Path directory;

  private static byte[] bytes(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** The envelope is the second part, so that a reader has to go by the start. */
  private static byte[] multipart(String headers, byte[] attachment) {
    String include = "<x:Include xmlns:x='http://www.w3.org/2004/08/xop/include' href='cid:the-bytes'/>";
    String envelope = Soap.envelope(headers, "<a:add xmlns:a='urn:album'><bytes>" + include + "</bytes></a:add>");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(("A preamble.\r\n--of the; test\r\nContent-Type: application/octet-stream\r\n"
        + "Content-Transfer-Encoding: binary\r\nContent-ID: <the-bytes>\r\n\r\n").getBytes(StandardCharsets.UTF_8));
    out.writeBytes(attachment);
    out.writeBytes(("\r\n--of the; test\r\nContent-Type: application/xop+xml; charset=UTF-8; type=\"text/xml\"\r\n"
        + "Content-ID: <root>\r\n\r\n" + envelope + "\r\n--of the; test--\r\n").getBytes(StandardCharsets.UTF_8));
    return out.toByteArray();
  }

  private static int indexOf(byte[] all, byte[] part) {
    return new String(all, StandardCharsets.ISO_8859_1).indexOf(new String(part, StandardCharsets.ISO_8859_1));
  }

  @Test
  void aCallWithAnAttachmentIsExecutedOnceAndItsAnswerIsReplayedWithItsAttachment() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(AlbumService.class, 3, Map.of())) {
      byte[] picture = bytes(40_000, 1);
      String session = site.openSession();
      int before = AlbumService.EXECUTIONS.get();
      Answer first =
          site.post(site.primary(), site.service(), multipart(Soap.header(session, 1, 1), picture), TYPE);
      assertEquals(200, first.status(), first.text());
      assertTrue(first.text().startsWith("--"), first.text());
      assertTrue(indexOf(first.bytes(), picture) > 0);
      Answer again =
          site.post(site.primary(), site.service(), multipart(Soap.header(session, 1, 2), picture), TYPE);
      assertEquals(200, again.status(), again.text());
      assertTrue(again.text().contains("<ur:Status>replayed</ur:Status>"), again.text());
      assertTrue(indexOf(again.bytes(), picture) > 0);
      site.assertRuns(1, AlbumService.EXECUTIONS.get() - before);

      Answer other =
          site.post(site.primary(), site.service(), multipart(Soap.header(session, 1, 3), bytes(40_000, 2)), TYPE);
      assertEquals("DigestMismatch", other.between("<ur:Code>", "</ur:Code>"));
    }
  }

  @Test
  void aBackupForwardsAttachments() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, AlbumService.class, 3, Map.of("understudy.request.deadline.ms", "2000"))) {
      byte[] picture = bytes(40_000, 3);
      int before = AlbumService.EXECUTIONS.get();
      Answer answer = site.post(site.backup(), site.service(), multipart("", picture), TYPE);
      assertEquals(200, answer.status(), answer.text());
      assertTrue(indexOf(answer.bytes(), picture) > 0);
      site.assertRuns(1, AlbumService.EXECUTIONS.get() - before);
      String broken = new String(multipart("", picture), StandardCharsets.ISO_8859_1).replace("test--", "");
      Answer refused =
          site.post(site.backup(), site.service(), broken.getBytes(StandardCharsets.ISO_8859_1), TYPE);
      assertEquals("BadRequest", refused.between("<ur:Code>", "</ur:Code>"));
    }
  }

  @Test
  void theStubSendsAndReadsAttachments() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(AlbumService.class, 3, Map.of())) {
      URI wsdl = URI.create(site.uri(site.primary(), site.service()) + "?wsdl");
      List<URI> addresses = IntStream.rangeClosed(1, 3).mapToObj(i -> site.uri(i, site.service())).toList();
      Album album = FaultTolerant.client(Album.class, wsdl.toURL(), addresses);
      try {
        ((SOAPBinding) ((BindingProvider) album).getBinding()).setMTOMEnabled(true);
        byte[] picture = bytes(300_000, 4);
        assertArrayEquals(picture, album.add(picture));
        int primary = site.primary();
        site.stop(primary);
        assertEquals(300_001, album.add(new byte[] {1}).length);
      } finally {
        FaultTolerant.close(album);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Soap.SOAP11, Soap.SOAP12})
  void anAnswerWithOtherPrefixesIsReplayedWithThem(String soap) throws Exception {
    try (ServiceCluster site =
        new ServiceCluster(directory, ForeignNotebookService.class, 3, Map.of("understudy.request.deadline.ms", "2000"))) {
      String session = site.openSession();
      String type = soap.equals(Soap.SOAP11) ? "text/xml" : "application/soap+xml";
      int sequence = 0;
      for (String operation : new String[] {"append", "refuse"}) {
        sequence++;
        for (int attempt = 1; attempt <= 2; attempt++) {
          String envelope =
              Soap.envelope(soap, Soap.header(session, sequence, attempt), Soap.notebook(operation, "x"));
          Answer answer =
              site.post(site.primary(), site.service(), envelope.getBytes(StandardCharsets.UTF_8), type);
          assertEquals(operation.equals("append") ? 200 : 500, answer.status(), answer.text());
          assertTrue(answer.text().contains(attempt == 1 ? ">executed<" : ">replayed<"), answer.text());
          assertTrue(answer.text().startsWith("<SOAP-ENV:Envelope "), answer.text());
          assertTrue(answer.text().contains("xmlns:book=\"urn:notebook\""), answer.text());
          FaultBody fault = FaultBody.ofEnvelope(SoapVersion.ofNamespace(soap), answer.bytes());
          assertEquals(operation.equals("refuse") ? "No <more> & no less." : "", fault.reason(), answer.text());
        }
      }
    }
  }
}
