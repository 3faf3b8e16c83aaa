package org.understudy.state.letter;

import jakarta.xml.bind.JAXBElement;
import jakarta.xml.bind.annotation.XmlElement;
import jakarta.xml.bind.annotation.XmlElementRef;
import jakarta.xml.bind.annotation.XmlType;
import javax.xml.datatype.XMLGregorianCalendar;

/** As generated from a schema with an element by reference. */
@XmlType(name = "Letter", propOrder = {"content", "sent"})
public class Letter {
  @XmlElementRef(name = "text", namespace = "urn:letters")
  public JAXBElement<String> content;

  @XmlElement public XMLGregorianCalendar sent;
}
