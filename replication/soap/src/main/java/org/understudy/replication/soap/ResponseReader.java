package org.understudy.replication.soap;

import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.soap.envelope.EnvelopeCursor;
import org.understudy.soap.envelope.FaultReader;
import org.understudy.soap.xml.ChildElements;

/**
 * Reads the replication header and the replication fault of a response, but not the rest of the Body.
 *
 * <p>Only the header distinguishes a result from a refusal. A service's fault may quote a {@code ReplicationFault} of another
 * service in its detail. Without the header, as from replicas of older versions, a refusal is a {@code ReplicationFault} that
 * is a direct child of the detail. One thread, one pass.
 */
public final class ResponseReader {
  private final XMLStreamReader2 in;
  private final EnvelopeCursor envelope;
  /** Of a fault about a header block in SOAP 1.1; else null. */
  private ReplicationFault ofHeader;
  private ResponseHeader header = ResponseHeader.NONE;

  /** @param in before the root element */
  public ResponseReader(XMLStreamReader2 in) {
    this.in = in;
    this.envelope = new EnvelopeCursor(in);
  }

  /**
   * Reads to the start of the Body.
   *
   * @throws IllegalStateException when the root is not an envelope or it has no Body
   * @throws IllegalArgumentException when a value of the header is invalid
   */
  public ResponseHeader readHeader() throws XMLStreamException {
    if (!envelope.open()) {
      throw new IllegalStateException("its root is " + in.getName());
    }
    while (envelope.nextBlock()) {
      if (ReplicationNames.isAt(in, ReplicationNames.HEADER)) {
        header = header.with(in);
      } else if (ReplicationNames.isAt(in, ReplicationNames.FAULT)) {
        ofHeader = ReplicationFault.read(in);
      }
    }
    if (!envelope.isBody()) {
      throw new IllegalStateException("no Body");
    }
    return header;
  }

  /**
   * Reads the reason why there is no result. Call it after {@link #readHeader}.
   *
   * @return null for a result
   * @throws IllegalStateException when the header announces a refusal, but the Body contains none
   */
  public ReplicationFault readRefusal() throws XMLStreamException {
    ReplicationFault refusal = null;
    if (!header.isResult() && new ChildElements(in).next() && envelope.isSoap("Fault")) {
      refusal = readFault();
    }
    if (refusal == null && header.isRefusal()) {
      throw new IllegalStateException("a refusal without a ReplicationFault");
    }
    return refusal;
  }

  private ReplicationFault readFault() throws XMLStreamException {
    FaultReader fault = new FaultReader(in, envelope.version());
    while (fault.nextDetail()) {
      if (ReplicationNames.isAt(in, ReplicationNames.FAULT)) {
        return ReplicationFault.read(in).in(fault);
      }
    }
    return ofHeader == null ? null : ofHeader.in(fault);
  }
}
