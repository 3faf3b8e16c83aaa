package org.understudy.client.session;

/**
 * An open session.
 *
 * @param id 32 hexadecimal digits
 * @param leaseSeconds how long it lives without a request
 * @param window the sequence numbers of its invocations
 */
public record Session(String id, int leaseSeconds, SequenceWindow window) {
  Session(String id, int leaseSeconds) {
    this(id, leaseSeconds, new SequenceWindow());
  }
}
