package org.understudy.replication.core.request;

/**
 * The service's response: the content of the SOAP body, marshalled once, stored and replayed byte for byte.
 *
 * @param format lets the container restore the same envelope; opaque here
 * @param body never changed after construction
 */
public record Response(byte format, byte[] body) implements Outcome {
  public static final Response EMPTY = new Response((byte) 0, new byte[0]);

  @Override
  public long bytes() {
    return body.length;
  }
}
