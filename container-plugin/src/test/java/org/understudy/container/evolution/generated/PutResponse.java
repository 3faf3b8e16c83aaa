package org.understudy.container.evolution.generated;

import jakarta.xml.bind.annotation.XmlAccessType;
import jakarta.xml.bind.annotation.XmlAccessorType;
import jakarta.xml.bind.annotation.XmlElement;
import jakarta.xml.bind.annotation.XmlRootElement;
import jakarta.xml.bind.annotation.XmlType;

/** As generated. */
@XmlAccessorType(XmlAccessType.FIELD)
@XmlRootElement(name = "putResponse", namespace = "urn:desk")
@XmlType(name = "putResponse", namespace = "urn:desk")
public class PutResponse {
  @XmlElement(name = "return")
  protected int value;

  public int getReturn() {
    return value;
  }

  public void setReturn(int to) {
    this.value = to;
  }
}
