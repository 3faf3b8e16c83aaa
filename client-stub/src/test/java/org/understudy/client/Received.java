package org.understudy.client;

import com.sun.net.httpserver.Headers;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One request as a fake replica saw it. */
record Received(String path, String query, Headers headers, String envelope) {
  String authorization() {
    return headers.getFirst("Authorization");
  }

  String trace() {
    return headers.getFirst("X-Trace");
  }

  long number(String element) {
    return Long.parseLong(text(element));
  }

  String text(String element) {
    Matcher found = Pattern.compile("<ur:" + element + ">([^<]*)</ur:" + element + ">").matcher(envelope);
    return found.find() ? found.group(1) : null;
  }

  /** Everything but the replication header. */
  String withoutHeader() {
    return envelope.replaceAll("<ur:ReplicationHeader.*</ur:ReplicationHeader>", "");
  }

  boolean isSessionOperation(String operation) {
    return envelope.contains("<ur:" + operation + " ");
  }

  int addend() {
    Matcher found = Pattern.compile("value>(-?[0-9]+)<").matcher(envelope);
    return found.find() ? Integer.parseInt(found.group(1)) : 0;
  }
}
