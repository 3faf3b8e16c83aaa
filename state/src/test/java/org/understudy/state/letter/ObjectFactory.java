package org.understudy.state.letter;

import jakarta.xml.bind.JAXBElement;
import jakarta.xml.bind.annotation.XmlElementDecl;
import jakarta.xml.bind.annotation.XmlRegistry;
import javax.xml.namespace.QName;

/** Declares the element that letters refer to. */
@XmlRegistry
public class ObjectFactory {
  /** Makes the element. */
  @XmlElementDecl(name = "text", namespace = "urn:letters")
  public JAXBElement<String> createText(String text) {
    return new JAXBElement<>(new QName("urn:letters", "text"), String.class, text);
  }
}
