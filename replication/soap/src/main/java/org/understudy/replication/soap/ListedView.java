package org.understudy.replication.soap;

import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.soap.xml.ChildElements;

/**
 * The view that replicas report to clients.
 *
 * @param epoch 0 when unknown
 * @param replicas the members in the order of the view, then the other replicas
 */
public record ListedView(long epoch, List<ListedReplica> replicas) {
  /** The name of the element. */
  public static final String NAME = "View";
  static final ListedView NONE = new ListedView(0, List.of());

  public ListedView {
    replicas = List.copyOf(replicas);
  }

  /** Returns {@code ur:View} for an element that binds the prefix. */
  public String text() {
    StringBuilder text = new StringBuilder(256).append("<ur:" + NAME + "><ur:" + ReplicationNames.EPOCH + ">").append(epoch);
    text.append("</ur:" + ReplicationNames.EPOCH + ">");
    replicas.forEach(replica -> replica.append(text));
    return text.append("</ur:" + NAME + ">").toString();
  }

  /**
   * Reads an element with children {@code Epoch} and {@code Replica}.
   *
   * @param in on the start of the element
   */
  public static ListedView read(XMLStreamReader2 in) throws XMLStreamException {
    long epoch = 0;
    List<ListedReplica> replicas = new ArrayList<>(3);
    ChildElements children = new ChildElements(in);
    while (children.next()) {
      switch (in.getLocalName()) {
        case ReplicationNames.EPOCH -> epoch = Long.parseLong(in.getElementText().trim());
        case ListedReplica.NAME -> {
          ListedReplica replica = ListedReplica.read(in);
          if (replica != null) {
            replicas.add(replica);
          }
        }
        default -> {
          // Ignores unknown elements.
        }
      }
    }
    return new ListedView(epoch, replicas);
  }
}
