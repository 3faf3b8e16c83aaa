package org.understudy.container.peer;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.configuration.Configuration;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.Replica;

/** Takes peer messages: the port of {@code peer.wsdl}, and the consumer endpoint of the transfer mode notification. */
public final class PeerServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(PeerServlet.class);
  private static final int MOST_BYTES = 64 << 20;

  private final transient Configuration configuration;
  private final transient PeerCredentials credentials;
  private final transient Replica replica;

  public PeerServlet(Configuration configuration, PeerCredentials credentials, Replica replica) {
    this.configuration = configuration;
    this.credentials = credentials;
    this.replica = replica;
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
    ReplicaId from = credentials.verify(request.getHeader(PeerCredentials.HEADER));
    if (from == null) {
      LOG.warn("A stranger at {} sent a peer message; it is refused.", request.getRemoteAddr());
      response.sendError(403, "Only replicas of the group may call this address.");
      return;
    }
    long length = request.getContentLengthLong();
    if (length < 0 || length > MOST_BYTES) {
      response.sendError(413, "A peer message announces its length, and is at most " + MOST_BYTES + " bytes long.");
      return;
    }
    PeerEnvelopeReader.Content content;
    try {
      byte[] body = request.getInputStream().readNBytes((int) length);
      content = PeerEnvelopeReader.read(request.getContentType(), body, body.length);
    } catch (IOException e) {
      LOG.warn("Replica {} sent what is no peer message: {}", from, e.getMessage());
      response.sendError(400, "That is no peer message.");
      return;
    }
    if ("Deliver".equals(content.element())) {
      List<Message> answers = new ArrayList<>(2);
      replica.received(from, content.messages(), answers);
      answer(response, from, answers);
    } else {
      response.setStatus(202);
      response.setContentLength(0);
      response.flushBuffer();
      replica.received(from, content.messages(), null);
    }
  }

  private void answer(HttpServletResponse response, ReplicaId to, List<Message> answers) throws IOException {
    PeerEnvelope envelope =
        PeerEnvelope.deliver(
            "DeliverResponse", configuration.group(), configuration.self().number(), to.number(), answers);
    response.setContentType(envelope.contentType());
    response.setContentLengthLong(envelope.length());
    for (byte[] segment : envelope.segments()) {
      response.getOutputStream().write(segment);
    }
  }
}
