package org.understudy.wsrf.property;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import javax.xml.namespace.QName;
import org.understudy.replication.api.ReadLevel;
import org.understudy.soap.basefault.BaseFault;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.soap.basefault.ResourceFaultType;
import org.understudy.wsrf.operation.Invocation;
import org.understudy.wsrf.operation.StandardOperation;

/** An operation of WSRF on a resource, which must exist. */
public abstract class ResourceOperation implements StandardOperation {
  protected final ResourceDocument document;
  private final QName element;
  private final String answer;
  private final ReadLevel read;

  /**
   * @param answer the action of its response
   * @param read null for an update
   */
  protected ResourceOperation(ResourceDocument document, QName element, String answer, ReadLevel read) {
    this.document = document;
    this.element = element;
    this.answer = answer;
    this.read = read;
  }

  @Override
  public final QName element() {
    return element;
  }

  @Override
  public final String answer() {
    return answer;
  }

  @Override
  public final ReadLevel read() {
    return read;
  }

  @Override
  public final byte[] execute(Invocation invocation) throws DeclaredFault {
    // Every operation reads the request to its end, because a truncated one must not be executed.
    invocation.body();
    if (!document.exists(invocation.transaction())) {
      String sentence =
          invocation.resource() == null
              ? "The request names no resource, neither in its URL nor in a reference parameter."
              : "The resource " + invocation.resource() + " is unknown: it was destroyed or never created.";
      throw BaseFault.of(ResourceFaultType.RESOURCE_UNKNOWN, invocation.now(), sentence).declared();
    }
    return answer(invocation).getBytes(StandardCharsets.UTF_8);
  }

  /** {@inheritDoc} After WS-Resource 1.2; operations of other standards override it. */
  @Override
  public DeclaredFault unavailable(String sentence, Instant now) {
    return BaseFault.of(ResourceFaultType.RESOURCE_UNAVAILABLE, now, sentence).declared();
  }

  /** Executes on an existing resource; returns and throws like {@link StandardOperation#execute}. */
  protected abstract String answer(Invocation invocation) throws DeclaredFault;

  /** A fault that the addressed resource raises. */
  protected final BaseFault fault(ResourceFaultType type, Invocation invocation, String sentence) {
    return BaseFault.of(type, invocation.now(), sentence).originator(document.address(invocation.transaction()));
  }
}
