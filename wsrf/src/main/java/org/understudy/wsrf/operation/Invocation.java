package org.understudy.wsrf.operation;

import java.time.Instant;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.soap.envelope.MessageBody;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.w3c.dom.Element;

/** One execution of a {@link StandardOperation}. Belongs to the thread that executes it. */
public final class Invocation {
  private final Endpoint endpoint;
  private final String resource;
  private final ResourceTransaction transaction;
  private final SoapVersion version;
  private final byte[] envelope;
  private final Instant now;
  private Element body;

  /** @param resource the id that the request names, or null */
  public Invocation(
      Endpoint endpoint, String resource, ResourceTransaction transaction, SoapVersion version, byte[] envelope, Instant now) {
    this.endpoint = endpoint;
    this.resource = resource;
    this.transaction = transaction;
    this.version = version;
    this.envelope = envelope;
    this.now = now;
  }

  public Endpoint endpoint() {
    return endpoint;
  }

  /** The id of the resource that the request names, existing or not; or null. */
  public String resource() {
    return resource;
  }

  /** The transaction in which the operation reads and changes state. */
  public ResourceTransaction transaction() {
    return transaction;
  }

  /** The version of the request's envelope, and of its answer's. */
  public SoapVersion version() {
    return version;
  }

  /** The whole request in UTF-8, already checked to be an envelope; must not be changed. */
  public byte[] envelope() {
    return envelope;
  }

  /** When the execution began, by the wall clock that clients are told. */
  public Instant now() {
    return now;
  }

  /**
   * The element in the body, with the namespaces of the envelope in scope.
   *
   * @throws DeclaredFault when the request is not well-formed up to its end, or exceeds the limits for messages of a
   *     standard
   */
  public Element body() throws DeclaredFault {
    if (body == null) {
      body = MessageBody.read(version, envelope);
    }
    return body;
  }
}
