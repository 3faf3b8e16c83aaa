package org.understudy.container.service;

import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.namespace.QName;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.api.property.PropertyDocument;
import org.understudy.replication.api.property.ResourceProperties;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** A state that tells its document itself: books, which clients may change, and how many there are. */
@ResourceProperties(namespace = "urn:shelf", document = "Shelf")
public final class Shelf implements StateCapture, PropertyDocument {
  private static final QName BOOK = new QName("urn:shelf", "Book");
  private static final QName NUMBER = new QName("urn:shelf", "Number");

  private String books = "";

  @Override
  public List<QName> names() {
    return List.of(BOOK, NUMBER);
  }

  @Override
  public boolean isModifiable(QName name) {
    return name.equals(BOOK);
  }

  @Override
  public Element properties(Document factory) {
    Element document = factory.createElementNS("urn:shelf", "s:Shelf");
    for (String title : books.split("\n")) {
      if (!title.isEmpty()) {
        Element book = factory.createElementNS("urn:shelf", "s:Book");
        book.setAttribute("title", title);
        document.appendChild(book);
      }
    }
    Element number = factory.createElementNS("urn:shelf", "s:Number");
    number.setTextContent(Integer.toString(document.getChildNodes().getLength()));
    document.appendChild(number);
    return document;
  }

  @Override
  public void replaceProperties(Element document) {
    StringBuilder titles = new StringBuilder();
    for (Node at = document.getFirstChild(); at != null; at = at.getNextSibling()) {
      if (at instanceof Element book && book.getLocalName().equals("Book")) {
        if (book.getAttribute("title").isEmpty()) {
          throw new IllegalArgumentException("a book has a title.");
        }
        titles.append(book.getAttribute("title")).append('\n');
      }
    }
    books = titles.toString();
  }

  @Override
  public byte[] captureState() {
    return books.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void restoreState(byte[] state) {
    books = new String(state, StandardCharsets.UTF_8);
  }
}
