package org.understudy.container.health;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.understudy.container.configuration.Configuration;
import org.understudy.replication.core.ReplicaStatus;
import org.understudy.replication.core.Role;
import org.understudy.replication.runtime.Replica;

/**
 * {@code /health/live}: this replica has not halted. {@code /health/ready}: this replica is in a view.
 * {@code /health/primary}: it is the primary and would execute an update now; one that has lost its majority, or wakes
 * from a pause, is not. 200 or 503, and one line of JSON; of a halted replica it says why.
 */
public final class HealthServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient Configuration configuration;
  private final transient Replica replica;
  private final transient Map<String, LongSupplier> meters;

  /** @param meters numbers that are told beside the replica's own, by name, in this order */
  public HealthServlet(Configuration configuration, Replica replica, Map<String, LongSupplier> meters) {
    this.configuration = configuration;
    this.replica = replica;
    this.meters = new LinkedHashMap<>(meters);
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    ReplicaStatus status = replica.status();
    String halted = replica.halted();
    boolean works = halted == null;
    boolean primary = works && status.role() == Role.PRIMARY;
    boolean ok =
        switch (String.valueOf(request.getPathInfo())) {
          case "/live" -> works;
          case "/ready" -> primary || (works && status.role() == Role.BACKUP);
          case "/primary" -> primary && status.writable();
          default -> {
            response.sendError(404, "Ask for /health/live, /health/ready or /health/primary.");
            yield false;
          }
        };
    if (response.isCommitted()) {
      return;
    }
    response.setStatus(ok ? 200 : 503);
    response.setContentType("application/json");
    String primaryUrl = status.view().primary() == null ? "" : configuration.url(status.view().primary()).toString();
    response
        .getWriter()
        .write(
            "{\"replica\":" + configuration.self() + ",\"pid\":" + ProcessHandle.current().pid() + ",\"role\":\""
                + (works ? status.role() : "HALTED") + "\"" + (works ? "" : ",\"halted\":\"" + text(halted) + "\"")
                + ",\"epoch\":" + status.view().epoch() + ",\"members\":"
                + status.view().members() + ",\"since\":\"" + replica.viewSince() + "\",\"primary\":\"" + primaryUrl
                + "\",\"received\":" + status.received()
                + ",\"stable\":" + status.stable() + ",\"writable\":" + status.writable() + ",\"sessions\":"
                + status.sessions() + ",\"replayed\":" + status.replayed() + measured() + ",\"strategy\":\""
                + configuration.strategy() + "\",\"transfer\":\"" + configuration.transfer() + "\"}\n");
  }

  /** A sentence within a JSON text. */
  private static String text(String sentence) {
    StringBuilder text = new StringBuilder(sentence.length() + 16);
    for (int i = 0; i < sentence.length(); i++) {
      char c = sentence.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else {
        text.append(c < ' ' ? ' ' : c);
      }
    }
    return text.toString();
  }

  private String measured() {
    StringBuilder text = new StringBuilder();
    meters.forEach((name, meter) -> text.append(",\"").append(name).append("\":").append(meter.getAsLong()));
    return text.toString();
  }
}
