package org.understudy.container.evolution.generated;

import jakarta.xml.bind.annotation.XmlAccessType;
import jakarta.xml.bind.annotation.XmlAccessorType;
import jakarta.xml.bind.annotation.XmlElement;
import jakarta.xml.bind.annotation.XmlRootElement;
import jakarta.xml.bind.annotation.XmlType;

/** As generated. */
@XmlAccessorType(XmlAccessType.FIELD)
@XmlRootElement(name = "put", namespace = "urn:desk")
@XmlType(name = "put", namespace = "urn:desk")
public class Put {
  @XmlElement(name = "item")
  protected String value;

  public String getItem() {
    return value;
  }

  public void setItem(String to) {
    this.value = to;
  }
}
