package org.understudy.container.part;

/** Examines the body of a request before a servlet of an {@link ApplicationPart} gets it. Thread-safe. */
@FunctionalInterface
public interface MessageCheck {
  /**
   * @param path of the request within the web application, decoded
   * @param contentType of the request, or null
   * @return null to accept the message; else a sentence for the client that names the reason. The request is then answered with status 400
   */
  String problem(String path, String contentType, byte[] body);
}
