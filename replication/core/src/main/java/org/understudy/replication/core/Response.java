package org.understudy.replication.core;

/**
 * What the service answered: the content of the SOAP body, marshalled once, kept and replayed byte for byte.
 *
 * @param format what the container needs to put the same envelope around it again; opaque here
 * @param body never changed after construction
 */
public record Response(byte format, byte[] body) implements Outcome {
  public static final Response EMPTY = new Response((byte) 0, new byte[0]);

  @Override
  public long bytes() {
    return body.length;
  }
}
