package org.understudy.replication.soap;

import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.api.VersionHandles;
import org.understudy.soap.xml.ChildElements;

/**
 * The replication header of a response. It alone distinguishes a result from a refusal.
 *
 * @param status one of the constants, or an unknown one of a newer version, which stands for a result; null without a header
 * @param versions the version handles of the response
 * @param epoch 0 when unknown
 */
public record ResponseHeader(String status, VersionHandles versions, long epoch) {
  public static final String EXECUTED = "executed";
  /** A stored reply of an execution that an earlier attempt began. */
  public static final String REPLAYED = "replayed";
  public static final String READ = "read";
  static final String REFUSED = "refused";
  static final ResponseHeader NONE = new ResponseHeader(null, VersionHandles.NONE, 0);

  private static final String STATUS = "Status";

  public boolean isResult() {
    return status != null && !isRefusal();
  }

  public boolean isRefusal() {
    return REFUSED.equals(status);
  }

  /** Writes the block of a result. */
  public static void append(StringBuilder text, String status, VersionHandle handle, long epoch) {
    appendStatus(text, status);
    // Stubs without support for scopes read only VersionHandle.
    String name = handle.isOfGroup() ? ReplicationNames.VERSION_HANDLE : ReplicationNames.SCOPED_HANDLE;
    text.append("<ur:").append(name).append('>').append(handle).append("</ur:").append(name).append('>');
    appendEpoch(text, epoch);
  }

  /** Writes the block of a response without result. */
  static void appendRefusal(StringBuilder text, long epoch) {
    appendStatus(text, REFUSED);
    appendEpoch(text, epoch);
  }

  private static void appendStatus(StringBuilder text, String status) {
    text.append(ReplicationNames.OPEN_HEADER + "<ur:" + STATUS + ">").append(status).append("</ur:" + STATUS + ">");
  }

  private static void appendEpoch(StringBuilder text, long epoch) {
    text.append("<ur:" + ReplicationNames.EPOCH + ">").append(epoch);
    text.append("</ur:" + ReplicationNames.EPOCH + ">" + ReplicationNames.CLOSE_HEADER);
  }

  /** Returns this header with the values of a further block. */
  ResponseHeader with(XMLStreamReader2 in) throws XMLStreamException {
    String newStatus = status;
    VersionHandles newVersions = versions;
    long newEpoch = epoch;
    ChildElements children = new ChildElements(in);
    while (children.next()) {
      switch (in.getLocalName()) {
        case ReplicationNames.VERSION_HANDLE, ReplicationNames.SCOPED_HANDLE ->
            newVersions = newVersions.with(VersionHandle.parse(in.getElementText().trim()));
        case STATUS -> newStatus = in.getElementText().trim();
        case ReplicationNames.EPOCH -> newEpoch = Long.parseLong(in.getElementText().trim());
        default -> {
          // Ignores unknown elements.
        }
      }
    }
    return new ResponseHeader(newStatus, newVersions, newEpoch);
  }
}
