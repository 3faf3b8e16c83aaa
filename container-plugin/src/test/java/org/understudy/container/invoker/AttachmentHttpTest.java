package org.understudy.container.invoker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.AlbumService;
import org.understudy.container.service.StampedAlbumService;
import org.understudy.container.service.StampedNotebookService;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;

/** MTOM at a service with a handler: the content of attachments identifies a request, whatever ids they have. */
@ForEachStrategy
class AttachmentHttpTest {
  private static Answer post(ServiceCluster site, String headers, String id, String content) {
    String envelope =
        Soap.envelope(
            StampedNotebookService.KEY + headers,
            "<a:add xmlns:a=\"urn:album\"><bytes><x:Include xmlns:x=\"http://www.w3.org/2004/08/xop/include\" href=\"cid:" + id
                + "\"/></bytes></a:add>");
    String message =
        "--b\r\nContent-Type: application/xop+xml; charset=UTF-8; type=\"text/xml\"\r\nContent-ID: <root>\r\n\r\n" + envelope
            + "\r\n--b\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: binary\r\nContent-ID: <" + id
            + ">\r\n\r\n" + content + "\r\n--b--\r\n";
    return site.post(
        site.primary(), site.service(), message.getBytes(StandardCharsets.UTF_8),
        "multipart/related; type=\"application/xop+xml\"; boundary=\"b\"; start=\"<root>\"; start-info=\"text/xml\"");
  }

  @Test
  void aRepeatedRequestWithOtherIdsIsTheSame() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(StampedAlbumService.class, 3, Map.of())) {
      String header = Soap.header(site.openSession(), 1, 1);
      int before = AlbumService.EXECUTIONS.get();
      Answer first = post(site, header, "one@a", "a picture");
      assertEquals(200, first.status(), first.text());
      String picture = Base64.getEncoder().encodeToString("a picture".getBytes(StandardCharsets.UTF_8));
      assertTrue(first.text().contains(picture), first.text());
      assertTrue(first.text().contains("Stamp"), first.text());
      Answer second = post(site, header, "two@b", "a picture");
      assertTrue(second.text().contains(">replayed<"), second.text());
      assertTrue(second.text().contains(picture), second.text());
      Answer other = post(site, header, "one@a", "no picture");
      assertTrue(other.text().contains("DigestMismatch"), other.text());
      site.assertRuns(1, AlbumService.EXECUTIONS.get() - before);
    }
  }
}
