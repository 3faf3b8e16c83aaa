package org.understudy.wsrf.contract;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.understudy.container.operation.ContractDownload;
import org.understudy.wsrf.operation.Endpoint;

/** Contracts behind HTTP, and nothing else. */
final class ContractSite implements AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private final Tomcat tomcat = new Tomcat();
  private final int port;

  ContractSite(Path directory, PublishedContracts contracts, List<Endpoint> endpoints) throws LifecycleException {
    tomcat.setBaseDir(directory.toString());
    Connector connector = new Connector();
    connector.setProperty("address", "127.0.0.1");
    connector.setPort(0);
    tomcat.setConnector(connector);
    ContractDownload download = new ContractDownload(contracts, URI.create("http://replica.example:8080/app"), false);
    Context context = tomcat.addContext("/app", directory.toString());
    Tomcat.addServlet(context, "contracts", new HttpServlet() {
      private static final long serialVersionUID = 1L;

      @Override
      protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = request.getServletPath() + request.getPathInfo();
        for (Endpoint endpoint : endpoints) {
          if (endpoint.isAt(path) && download.answer(endpoint, request, response)) {
            return;
          }
        }
        response.setStatus(405);
      }

      @Override
      protected void doHead(HttpServletRequest request, HttpServletResponse response) throws IOException {
        doGet(request, response);
      }
    }).addMapping("/services/*");
    tomcat.start();
    port = connector.getLocalPort();
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port + "/app/services/" + path);
  }

  HttpResponse<String> get(String path) throws Exception {
    return HTTP.send(HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> head(String path) throws Exception {
    return HTTP.send(
        HttpRequest.newBuilder(uri(path)).method("HEAD", HttpRequest.BodyPublishers.noBody()).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  int port() {
    return port;
  }

  @Override
  public void close() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }
}
