package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.cxf.tools.common.ToolContext;
import org.apache.cxf.tools.wsdlto.WSDLToJava;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.DrawerService;
import org.understudy.test.cluster.Answer;

/** Reads and updates as the contract of a service, or a client's header, declares them. */
class DeclaredReadsHttpTest {
  @TempDir private Path directory;

  private static Answer call(ServiceCluster site, String operation, String header) {
    return site.call(1, Soap.envelope(Soap.header(header), "<d:" + operation + " xmlns:d=\"urn:drawer\"/>"));
  }

  private static String status(ServiceCluster site, String operation, String header) {
    Answer answer = call(site, operation, header);
    assertEquals(200, answer.status(), answer.text());
    return answer.between("<ur:Status>", "</ur:Status>");
  }

  @Test
  void aRequestIsAReadIfTheContractDeclaresIt() throws Exception {
    String claimed = "<ActionType>read</ActionType>";
    try (ServiceCluster site = new ServiceCluster(directory, DrawerService.class, 1, Map.of())) {
      assertEquals("read", status(site, "look", ""));
      assertEquals("read", status(site, "look", "<ActionType>update</ActionType>"), "the service's declaration counts");
      assertEquals("read", status(site, "glance", ""));
      assertEquals("executed", status(site, "put", ""));
      assertEquals("executed", status(site, "peek", ""));
      assertEquals("executed", status(site, "peek", claimed), "clients are not trusted by default");
      assertEquals("BadRequest", call(site, "peek", "<ActionType>write</ActionType>").between("<ur:Code>", "</ur:Code>"));
      String wsdl = site.uri(1, site.service()) + "?wsdl";
      String contract = new String(URI.create(wsdl).toURL().openStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
      assertTrue(contract.contains("ActionType"), contract);
      Path generated = Files.createDirectory(directory.resolve("client"));
      new WSDLToJava(new String[] {"-d", generated.toString(), wsdl}).run(new ToolContext());
      assertTrue(Files.exists(generated.resolve("drawer/Drawer.java")), "a client is generated as ever");
    }
  }

  @Test
  void aTrustedClientDeclaresReadsOfUndeclaredOperations() throws Exception {
    String claimed = "<ActionType>read</ActionType>";
    Map<String, String> settings = Map.of("understudy.client.reads", "trusted");
    try (ServiceCluster site = new ServiceCluster(directory, DrawerService.class, 1, settings)) {
      assertEquals("read", status(site, "peek", claimed));
      assertEquals("executed", status(site, "peek", ""));
      assertEquals("executed", status(site, "peek", "<ActionType>update</ActionType>"));
      assertEquals("executed", status(site, "put", claimed), "the service declares an update");
    }
  }
}
