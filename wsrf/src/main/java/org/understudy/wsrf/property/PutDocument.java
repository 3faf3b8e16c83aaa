package org.understudy.wsrf.property;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.namespace.QName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.soap.basefault.BaseFault;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.soap.basefault.ResourceFaultType;
import org.understudy.soap.xml.ElementText;
import org.understudy.soap.xml.Elements;
import org.understudy.wsrf.operation.Invocation;
import org.w3c.dom.Element;

/** PutResourcePropertyDocument (WS-ResourceProperties 1.2, section 5.4): replaces all of the document, or nothing. */
final class PutDocument extends ResourceOperation {
  private static final Logger LOG = LoggerFactory.getLogger(PutDocument.class);
  private static final String OPERATION = "PutResourcePropertyDocument";

  PutDocument(ResourceDocument document) {
    super(document, PropertyOperations.element(OPERATION), PropertyOperations.answer(OPERATION), null);
  }

  @Override
  protected String answer(Invocation invocation) throws DeclaredFault {
    List<Element> content = Elements.children(invocation.body());
    if (content.size() != 1) {
      throw DeclaredFault.badMessage(OPERATION + " must hold exactly one document.");
    }
    Element put = content.get(0);
    if (!document.name().equals(Elements.name(put))) {
      throw refusal(invocation, "The document's name must be " + document.name() + ".", "", ElementText.of(put)).declared();
    }
    Map<QName, List<Element>> values = new LinkedHashMap<>();
    for (Element value : Elements.children(put)) {
      QName property = Elements.name(value);
      if (document.source(property) == null) {
        throw refusal(
            invocation, "The resource has no property " + property + ".", "", ElementText.of(value)).declared();
      }
      values.computeIfAbsent(property, name -> new ArrayList<>()).add(value);
    }
    // All of them first, because one may depend on another that changes.
    Map<QName, String> before = new LinkedHashMap<>();
    for (QName property : document.names()) {
      before.put(property, document.values(property, invocation.transaction(), invocation.now()));
    }
    Undo undo = new Undo(invocation.transaction());
    try {
      for (Map.Entry<QName, String> property : before.entrySet()) {
        take(property.getKey(), property.getValue(), values.getOrDefault(property.getKey(), List.of()), invocation);
      }
      for (Map.Entry<QName, String> property : before.entrySet()) {
        if (!values.containsKey(property.getKey())) {
          checkMayBeMissing(property.getKey(), property.getValue(), invocation);
        }
      }
    } catch (DeclaredFault | RuntimeException e) {
      undo.run();
      throw e;
    }
    return PropertyOperations.response(OPERATION, document.text(invocation.transaction(), invocation.now()));
  }

  private void take(QName property, String current, List<Element> values, Invocation invocation) throws DeclaredFault {
    PropertySource source = document.source(property);
    StringBuilder requested = new StringBuilder();
    values.forEach(value -> ElementText.write(value, requested));
    String sentence;
    BaseFault cause = null;
    try {
      if (same(values, Elements.children(Elements.read("<values>" + current + "</values>")))) {
        return;
      }
      if (source.isModifiable(property)) {
        source.replace(property, values, invocation.transaction());
        return;
      }
      if (values.isEmpty() || source.isOfTheMoment(property)) {
        return;
      }
      sentence = "The property " + property + " is read-only.";
    } catch (IllegalArgumentException e) {
      sentence = "The property " + property + " does not accept this value: " + e.getMessage();
      cause =
          fault(ResourceFaultType.INVALID_MODIFICATION, invocation, sentence)
              .extension(new ChangeFailure(current, requested.toString()).text());
    } catch (RuntimeException e) {
      LOG.error("The property {} could not be changed. The request is undone.", property, e);
      sentence = "The property " + property + " could not be changed.";
    }
    BaseFault refusal = refusal(invocation, sentence, current, requested.toString());
    throw (cause == null ? refusal : refusal.cause(cause)).declared();
  }

  /** Rejects a document that lacks a property which every document of the resource has. */
  private void checkMayBeMissing(QName property, String current, Invocation invocation) throws DeclaredFault {
    PropertySource source = document.source(property);
    if (source.isModifiable(property) || source.describe(property).optional()) {
      return;
    }
    if (!current.isBlank()) {
      String sentence = "The document lacks " + property + ", which it must hold. Send its value as it was read.";
      throw refusal(invocation, sentence, current, "").declared();
    }
  }

  private static boolean same(List<Element> values, List<Element> current) {
    if (values.size() != current.size()) {
      return false;
    }
    for (int i = 0; i < values.size(); i++) {
      if (!Elements.same(values.get(i), current.get(i))) {
        return false;
      }
    }
    return true;
  }

  private BaseFault refusal(Invocation invocation, String why, String current, String requested) {
    return fault(
        ResourceFaultType.UNABLE_TO_PUT_RESOURCE_PROPERTY_DOCUMENT, invocation, why + " The resource is unchanged.")
        .extension(new ChangeFailure(current, requested).text());
  }
}
