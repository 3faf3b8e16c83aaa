package org.understudy.wsat.addressing;

import javax.xml.namespace.QName;
import org.apache.cxf.ws.addressing.RelatesToType;
import org.jboss.ws.api.addressing.MAPRelatesTo;

/** The message to which another one is an answer. Immutable as long as CXF's object is. */
final class CxfMapRelatesTo implements MAPRelatesTo {
  private final RelatesToType relates;

  CxfMapRelatesTo(RelatesToType relates) {
    this.relates = relates;
  }

  RelatesToType relates() {
    return relates;
  }

  @Override
  public String getRelatesTo() {
    return relates.getValue();
  }

  @Override
  public QName getType() {
    return relates.getRelationshipType() == null ? null : QName.valueOf(relates.getRelationshipType());
  }
}
