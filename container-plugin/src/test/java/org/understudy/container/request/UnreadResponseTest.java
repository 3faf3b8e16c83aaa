package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.UnreadResponses;
import org.understudy.container.caller.Caller;
import org.understudy.container.caller.ConcurrencyLimiter;
import org.understudy.container.operation.Operation;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.runtime.share.LocalShares;
import org.understudy.replication.runtime.share.Reservation;
import org.understudy.soap.envelope.MessageProperties;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.wsrf.operation.Endpoint;

/** A client that sends requests and reads no response must not block the thread that brings the outcomes. */
class UnreadResponseTest {
  private static final RequestEnvelope ENVELOPE =
      new RequestEnvelope(SoapVersion.SOAP11, new QName("add"), null, MessageProperties.UNUSED, List.of(), "a", 0);
  private static final ReplicatedService SERVICE = new ReplicatedService(null, null, null, null, null, new OutcomeHistory());

  @TempDir private Path directory;

  private final BlockingQueue<Exchange> parked = new LinkedBlockingQueue<>();
  private final Thread replica = new Thread(this::deliverOutcomes, "replica");
  private volatile Reply reply;

  /** Leaves each request at once, as if its outcome took long. */
  private final class Parking extends HttpServlet {
    private static final long serialVersionUID = 1;
    private final transient ConcurrencyLimiter limiter = new ConcurrencyLimiter(10);

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
      if (request.getAttribute(Exchange.ATTRIBUTE) instanceof FilterExchange dispatched) {
        dispatched.resumed();
        dispatched.proceed(null);
        return;
      }
      Caller caller = new Caller("", "192.0.2.1");
      Reservation reservation = new Reservation(new LocalShares("requests hold %d bytes", 1 << 30), caller.owner());
      limiter.accept(reservation);
      FilterExchange exchange =
          new FilterExchange(
              new IncomingRequest(
                  request, response, caller, null, ENVELOPE, new Endpoint("/services/Cell", ""),
                  new Operation(null, "", Map.of(), null), SERVICE, reservation),
              null, limiter, null);
      exchange.proceed(null);
      parked.add(exchange);
    }
  }

  @BeforeEach
  void start() {
    replica.start();
  }

  @AfterEach
  void stop() throws InterruptedException {
    replica.interrupt();
    replica.join();
  }

  private void deliverOutcomes() {
    try {
      while (true) {
        parked.take().reply(reply);
      }
    } catch (InterruptedException e) {
      // The test has ended.
    }
  }

  private void theReplicaGoesOn(int bytes) throws Exception {
    byte[] body = ("<a>" + "x".repeat(bytes) + "</a>").getBytes(StandardCharsets.US_ASCII);
    reply = new Reply(new Response((byte) 0, body), Reply.Status.EXECUTED, VersionHandle.INITIAL, 1);
    try (UnreadResponses server = new UnreadResponses(directory, new Parking());
        UnreadResponses.Client client = server.new Client();
        UnreadResponses.Client other = server.new Client()) {
      client.sendMany("");
      assertNotSame(replica, server.awaitBlockedWriter().getKey());
      assertEquals("HTTP/1.1 200 ", other.call(""));
    }
  }

  @Test
  void shortResponsesDoNotBlockTheReplica() throws Exception {
    theReplicaGoesOn(2_000);
  }

  @Test
  void responsesOfTheLimitDoNotBlockTheReplica() throws Exception {
    theReplicaGoesOn(FilterExchange.MAX_BYTES_BY_REPLICA - "<a></a>".length());
  }

  @Test
  void longResponsesDoNotBlockTheReplica() throws Exception {
    theReplicaGoesOn(3 * FilterExchange.MAX_BYTES_BY_REPLICA);
  }
}
