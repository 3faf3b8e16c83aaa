package org.understudy.container.twin;

import jakarta.annotation.Resource;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.xml.ws.WebServiceContext;
import jakarta.xml.ws.handler.MessageContext;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.cxf.binding.soap.SoapBindingConstants;
import org.apache.cxf.headers.Header;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.PhaseInterceptorChain;
import org.understudy.replication.api.ReplicatedState;

/** A service that records what it sees of each request. */
public abstract class Witness {
  @Resource private WebServiceContext context;
  @ReplicatedState private final Map<String, Integer> calls = new TreeMap<>();

  /** Records a one-way call: with CXF alone, the request may have ended. */
  protected void seesLater(String operation, Object... values) {
    Sightings.add("service", call(operation, values));
  }

  private Map<String, String> call(String operation, Object... values) {
    calls.merge(operation, 1, Integer::sum);
    Map<String, String> seen = new TreeMap<>();
    seen.put("operation", operation);
    for (int i = 0; i < values.length; i++) {
      seen.put("value." + i, text(values[i]));
    }
    return seen;
  }

  /** Records a call. */
  protected void sees(String operation, Object... values) {
    Map<String, String> seen = call(operation, values);
    of(context.getMessageContext(), seen);
    seen.put("principal", String.valueOf(context.getUserPrincipal()));
    seen.put("role", Boolean.toString(context.isUserInRole("clerk")));
    of((HttpServletRequest) context.getMessageContext().get(MessageContext.SERVLET_REQUEST), seen);
    of(PhaseInterceptorChain.getCurrentMessage(), seen);
    Sightings.add("service", seen);
  }

  /** The context of the request. */
  protected MessageContext context() {
    return context.getMessageContext();
  }

  static String text(Object value) {
    return value == null ? "null" : value.getClass().isArray() ? Arrays.toString(array(value)) : value.toString();
  }

  private static Object[] array(Object array) {
    Object[] all = new Object[Array.getLength(array)];
    Arrays.setAll(all, i -> Array.get(array, i));
    return all;
  }

  static void of(MessageContext context, Map<String, String> seen) {
    for (String key :
        new String[] {
          MessageContext.HTTP_REQUEST_METHOD, MessageContext.QUERY_STRING, MessageContext.PATH_INFO, MessageContext.WSDL_OPERATION,
          MessageContext.WSDL_SERVICE, MessageContext.WSDL_PORT, MessageContext.WSDL_INTERFACE, MessageContext.REFERENCE_PARAMETERS,
          MessageContext.MESSAGE_OUTBOUND_PROPERTY
        }) {
      seen.put("context." + key.substring(key.lastIndexOf('.') + 1), text(context.get(key)));
    }
    Map<?, ?> attachments = (Map<?, ?>) context.get(MessageContext.INBOUND_MESSAGE_ATTACHMENTS);
    seen.put("context.attachments", attachments == null ? "null" : Integer.toString(attachments.size()));
    headers("context", (Map<?, ?>) context.get(MessageContext.HTTP_REQUEST_HEADERS), seen);
  }

  private static void headers(String prefix, Map<?, ?> headers, Map<String, String> seen) {
    if (headers != null) {
      headers.forEach((name, value) -> seen.put(prefix + ".header." + name.toString().toLowerCase(Locale.ROOT), text(value)));
    }
  }

  private static void of(HttpServletRequest request, Map<String, String> seen) {
    seen.put("servlet.method", request.getMethod());
    seen.put("servlet.url", request.getRequestURL().toString());
    seen.put("servlet.uri", request.getRequestURI());
    seen.put("servlet.path", request.getContextPath() + "|" + request.getServletPath() + "|" + request.getPathInfo());
    seen.put("servlet.query", text(request.getQueryString()));
    seen.put("servlet.address", request.getRemoteAddr() + " " + request.getRemoteHost());
    seen.put("servlet.server", request.getScheme() + " " + request.isSecure() + " " + request.getServerName() + " "
        + request.getServerPort() + " " + request.getLocalPort() + " " + request.getProtocol());
    seen.put("servlet.encoding", text(request.getCharacterEncoding()));
    seen.put("servlet.type", text(request.getContentType()));
    seen.put("servlet.length", Long.toString(request.getContentLengthLong()));
    seen.put("servlet.locale", request.getLocale().toString());
    seen.put("servlet.user", request.getRemoteUser() + " " + request.getAuthType() + " " + request.getUserPrincipal());
    seen.put("servlet.session", request.getRequestedSessionId() + " " + (request.getSession(false) != null));
    seen.put("servlet.parameters", request.getParameterMap().entrySet().stream()
        .map(entry -> entry.getKey() + "=" + Arrays.toString(entry.getValue())).sorted().collect(Collectors.joining(" ")));
    Cookie[] cookies = request.getCookies();
    seen.put("servlet.cookies", cookies == null ? "null"
        : Arrays.stream(cookies).map(one -> one.getName() + "=" + one.getValue()).collect(Collectors.joining(" ")));
    for (String name : Collections.list(request.getHeaderNames())) {
      seen.put("servlet.header." + name.toLowerCase(Locale.ROOT), Collections.list(request.getHeaders(name)).toString());
    }
  }

  /** What CXF's own interceptors and services look at. */
  static void of(Message message, Map<String, String> seen) {
    for (String key :
        new String[] {
          Message.ENCODING, Message.CONTENT_TYPE, Message.ACCEPT_CONTENT_TYPE, Message.REQUEST_URL, Message.REQUEST_URI, Message.BASE_PATH,
          Message.HTTP_REQUEST_METHOD, Message.PATH_INFO, Message.QUERY_STRING, Message.ENDPOINT_ADDRESS, SoapBindingConstants.SOAP_ACTION
        }) {
      seen.put("message." + key.substring(key.lastIndexOf('.') + 1), text(message.get(key)));
    }
    seen.put("message.class", message.getClass().getSimpleName());
    seen.put("message.attachments", message.getAttachments() == null ? "null" : message.getAttachments().stream()
        .map(one -> one.getDataHandler().getContentType()).collect(Collectors.joining(" ")));
    Object blocks = message.get(Header.HEADER_LIST);
    seen.put("message.blocks", !(blocks instanceof Collection<?> all) ? "null"
        : all.stream().map(one -> ((Header) one).getName().toString()).sorted().collect(Collectors.joining(" ")));
    headers("message", (Map<?, ?>) message.get(Message.PROTOCOL_HEADERS), seen);
  }
}
