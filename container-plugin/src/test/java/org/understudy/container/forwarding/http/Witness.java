package org.understudy.container.forwarding.http;

import jakarta.annotation.Resource;
import jakarta.jws.WebService;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.xml.ws.WebServiceContext;
import jakarta.xml.ws.handler.MessageContext;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.FaultTolerant;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ReplicatedState;

/** A service that returns what it sees of its client's request. */
@FaultTolerant
@WebService(targetNamespace = "urn:witness", serviceName = "Witness", portName = "WitnessPort")
public class Witness {
  /** Headers that differ between two clients of the tests, or that describe a connection. */
  private static final List<String> OF_CONNECTION =
      List.of("host", "user-agent", "connection", "http2-settings", "upgrade", "authorization");

  @ReplicatedState private int calls;
  @Resource private WebServiceContext context;

  /** Returns one line for each property. */
  public String see() {
    calls++;
    HttpServletRequest request = (HttpServletRequest) context.getMessageContext().get(MessageContext.SERVLET_REQUEST);
    List<String> lines = new ArrayList<>();
    lines.add("query " + request.getQueryString() + " " + context.getMessageContext().get(MessageContext.QUERY_STRING));
    lines.add("tenant " + request.getParameter("tenant"));
    lines.add("address " + request.getRemoteAddr() + " " + request.getRemoteHost());
    lines.add("url " + request.getRequestURL() + " " + request.getScheme() + " " + request.isSecure());
    lines.add("user " + request.getAuthType() + " " + request.getRemoteUser() + " " + context.getUserPrincipal().getName()
        + " " + context.isUserInRole("clerk") + " " + context.isUserInRole("boss"));
    lines.add("locales " + Collections.list(request.getLocales()));
    lines.add("cookie " + (request.getCookies() == null ? "" : request.getCookies()[0].getValue()) + " " + request.getRequestedSessionId());
    X509Certificate[] certificates = (X509Certificate[]) request.getAttribute("jakarta.servlet.request.X509Certificate");
    lines.add("certificate " + (certificates == null ? "" : certificates[0].getSubjectX500Principal().getName()));
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String name : Collections.list(request.getHeaderNames())) {
      if (!OF_CONNECTION.contains(name.toLowerCase(Locale.ROOT))) {
        headers.put(name.toLowerCase(Locale.ROOT), Collections.list(request.getHeaders(name)));
      }
    }
    lines.add("headers " + headers);
    return String.join("\n", lines);
  }

  /** Returns how often it was called. */
  @Read
  public int calls() {
    return calls;
  }
}
