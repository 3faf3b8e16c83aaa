package org.understudy.wsrf.property;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Wsrf;
import org.understudy.container.service.ShelfService;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;

/** A state object that tells its resource property document itself, at three replicas. */
@ForEachStrategy
class PropertyDocumentHttpTest {
  @TempDir Path directory;

  private static Answer rp(ServiceCluster site, String id, String operation, String content) {
    return Wsrf.post(
        site, site.primary(), "/services/ShelfService/" + id,
        Wsrf.rp(operation, content).replace("urn:lamps", "urn:shelf"));
  }

  @Test
  void isReadAndChangedAndSurvivesThePrimary() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, ShelfService.class, 3, Map.of())) {
      String id = Wsrf.post(site, site.primary(), "/services/ShelfService", "<s:create xmlns:s=\"urn:shelf\"/>")
          .between("<return>", "</return>");
      assertTrue(rp(site, id, "GetResourceProperty", "l:Number").body().contains("<s:Number xmlns:s=\"urn:shelf\">0<"));
      assertEquals(200, rp(site, id, "InsertResourceProperties",
          "<rp:Insert><l:Book title=\"Emma\"/><l:Book title=\"Ulysses\"/></rp:Insert>").status());
      String books = rp(site, id, "GetResourceProperty", "l:Book").body();
      assertTrue(books.indexOf("Emma") > 0 && books.indexOf("Emma") < books.indexOf("Ulysses"), books);
      Answer refused = rp(site, id, "SetResourceProperties",
          "<rp:Delete ResourceProperty=\"l:Book\"/><rp:Insert><l:Book/></rp:Insert>");
      assertTrue(refused.text().contains("InvalidModificationFault"), refused.text());
      assertTrue(refused.text().contains("a book has a title."), refused.text());
      assertTrue(rp(site, id, "UpdateResourceProperties", "<rp:Update><l:Number>9</l:Number></rp:Update>").text()
          .contains("UnableToModifyResourcePropertyFault"));
      site.stop(site.primary());
      String document = rp(site, id, "GetResourcePropertyDocument", "").body();
      assertTrue(document.contains("<d:Shelf xmlns:d=\"urn:shelf\">") && document.contains("title=\"Ulysses\""), document);
      assertTrue(document.contains(">2</s:Number>"), document);
      assertEquals(200, rp(site, id, "DeleteResourceProperties", "<rp:Delete ResourceProperty=\"l:Book\"/>").status());
      assertFalse(rp(site, id, "GetResourceProperty", "l:Book").body().contains("title"));
    }
  }
}
