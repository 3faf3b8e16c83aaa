package org.understudy.client;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.cxf.helpers.CastUtils;
import org.apache.cxf.message.Message;

/**
 * The HTTP header fields that the application, its handlers and interceptors have set.
 *
 * @param fields without content type and authorization
 * @param authorization null when none is set
 */
record HttpFields(Map<String, String> fields, String authorization) {
  /** Headers that the HTTP library sets, that have no effect there, or that only a proxy may see. */
  private static final Set<String> DROPPED =
      Set.of("content-type", "content-length", "host", "transfer-encoding", "connection", "proxy-authorization");

  static HttpFields of(Message message) {
    Map<String, String> fields = new HashMap<>();
    String authorization = null;
    Map<String, List<String>> given = CastUtils.cast((Map<?, ?>) message.get(Message.PROTOCOL_HEADERS));
    if (given != null) {
      for (Map.Entry<String, List<String>> header : given.entrySet()) {
        String value = String.join(", ", header.getValue());
        if ("authorization".equalsIgnoreCase(header.getKey())) {
          authorization = value;
        } else if (!DROPPED.contains(header.getKey().toLowerCase(Locale.ROOT))) {
          fields.put(header.getKey(), value);
        }
      }
    }
    return new HttpFields(fields, authorization);
  }
}
