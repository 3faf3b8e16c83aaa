package org.understudy.container.soap;

import java.util.List;
import org.understudy.soap.xml.XmlText;

/** The elements {@code ur:Replica} of views and alternatives. */
public final class Replicas {
  /**
   * @param role primary, senior, backup or none, for clients that know no more
   * @param serves the names of the requests that it serves, a space between
   */
  public record Address(int id, String role, String serves, String url) {}

  private Replicas() {}

  static void append(StringBuilder text, List<Address> replicas) {
    for (Address replica : replicas) {
      text.append("<ur:Replica id=\"").append(replica.id()).append("\" role=\"").append(replica.role());
      text.append("\" serves=\"").append(replica.serves()).append("\">");
      text.append(XmlText.escape(replica.url())).append("</ur:Replica>");
    }
  }

  /** {@code ur:View}, inside an element that binds the prefix. */
  public static String view(long epoch, List<Address> replicas) {
    StringBuilder text = new StringBuilder(256).append("<ur:View><ur:Epoch>").append(epoch).append("</ur:Epoch>");
    append(text, replicas);
    return text.append("</ur:View>").toString();
  }
}
