package org.understudy.container.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.SingleReplica;
import org.understudy.container.Soap;
import org.understudy.container.UnreadResponses;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.response.Answers;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.share.LocalShares;

/** A client that opens sessions and reads no response must not block the thread that brings the outcomes. */
class UnreadSessionResponseTest {
  private static final String OPEN =
      Soap.envelope(
          "", "<OpenSession xmlns=\"urn:understudy:replication:1\"><Nonce>0123456789abcdef0123456789abcdef</Nonce></OpenSession>");

  @TempDir private Path directory;

  private static Configuration configuration() throws Exception {
    Properties properties = new Properties();
    properties.setProperty("understudy.replica", "1");
    properties.setProperty("understudy.replicas", "1=http://192.0.2.1:80/");
    properties.setProperty("understudy.strategy", "none");
    properties.setProperty("understudy.secret", "0123456789abcdef");
    return Configuration.of(properties);
  }

  private static final class Opening extends HttpServlet {
    private static final long serialVersionUID = 1;
    private final transient SessionEndpoint endpoint;

    Opening(SessionEndpoint endpoint) {
      this.endpoint = endpoint;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
      endpoint.answer(request, response, request.getInputStream().readAllBytes());
    }
  }

  @Test
  void noResponseIsWrittenWithinTheReplica() throws Exception {
    Configuration configuration = configuration();
    try (Replica replica = SingleReplica.open();
        SessionEndpoint endpoint =
            new SessionEndpoint(
                configuration, replica, new Answers(configuration, replica, () -> "/services/Cell"), new LocalShares("%d places", 10));
        UnreadResponses server = new UnreadResponses(directory, new Opening(endpoint));
        UnreadResponses.Client client = server.new Client();
        UnreadResponses.Client other = server.new Client()) {
      assertEquals("HTTP/1.1 200 ", other.call(OPEN));
      client.sendMany(OPEN);
      List<String> ours =
          Arrays.stream(server.awaitBlockedWriter().getValue())
              .map(StackTraceElement::getClassName)
              .filter(type -> type.startsWith("org.understudy"))
              .toList();
      assertEquals(List.of(), ours);
    }
  }
}
