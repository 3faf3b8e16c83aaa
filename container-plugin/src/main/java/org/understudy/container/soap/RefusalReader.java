package org.understudy.container.soap;

import javax.xml.stream.XMLStreamException;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.soap.ReplicationFault;
import org.understudy.replication.soap.ResponseReader;
import org.understudy.soap.xml.HardenedXmlReader;

/**
 * Recognises a refusal of a replica by the structure of its envelope: a {@code ReplicationFault} that is a direct child of
 * the fault's detail, in an envelope without the response header of an executed request. Needed for replicas of versions
 * that do not send the HTTP header with the disposition. Thread-safe.
 */
public final class RefusalReader {
  private RefusalReader() {}

  /** Returns the code of the refusal, or null when the envelope is a result, cannot be read, or has an unknown code. */
  public static FailureCode read(byte[] envelope, int length) {
    try {
      ResponseReader response = new ResponseReader(HardenedXmlReader.openBounded(envelope, length));
      response.readHeader();
      ReplicationFault refusal = response.readRefusal();
      return refusal == null ? null : refusal.known();
    } catch (XMLStreamException | IllegalArgumentException | IllegalStateException e) {
      return null;
    }
  }
}
