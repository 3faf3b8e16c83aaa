package org.understudy.container.twin;

import jakarta.xml.bind.JAXBElement;
import jakarta.xml.bind.annotation.XmlAnyAttribute;
import jakarta.xml.bind.annotation.XmlAnyElement;
import jakarta.xml.bind.annotation.XmlAttribute;
import jakarta.xml.bind.annotation.XmlElement;
import jakarta.xml.bind.annotation.XmlElements;
import jakarta.xml.bind.annotation.XmlEnumValue;
import jakarta.xml.bind.annotation.XmlList;
import jakarta.xml.bind.annotation.XmlMimeType;
import jakarta.xml.bind.annotation.XmlSchemaType;
import jakarta.xml.bind.annotation.XmlSeeAlso;
import jakarta.xml.bind.annotation.XmlType;
import jakarta.xml.bind.annotation.adapters.HexBinaryAdapter;
import jakarta.xml.bind.annotation.adapters.XmlJavaTypeAdapter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.xml.datatype.Duration;
import javax.xml.datatype.XMLGregorianCalendar;
import javax.xml.namespace.QName;
import org.w3c.dom.Node;

/** A value with an element of each kind. */
@XmlType(name = "itemType", namespace = "urn:twin:item")
@XmlSeeAlso(Item.Special.class)
public class Item {
  /** The values of an enumeration. */
  @XmlType(name = "color", namespace = "urn:twin:item")
  public enum Color {
    @XmlEnumValue("dark red") RED, GREEN
  }

  /** A subclass, which {@code xsi:type} names. */
  @XmlType(name = "special", namespace = "urn:twin:item")
  public static class Special extends Item {
    public String extra;

    @Override
    public String toString() {
      return super.toString() + " extra=" + extra;
    }
  }

  @XmlAttribute public String id;
  @XmlAttribute public Integer rank;
  @XmlAttribute(required = true) public boolean used;
  @XmlAnyAttribute public Map<QName, String> others = new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
  public String name;
  @XmlElement(required = true) public int count;
  @XmlElement(defaultValue = "5") public int preset;
  @XmlElement(defaultValue = "true") public Boolean presetFlag;
  @XmlElement(nillable = true) public Integer nillable;
  @XmlElement(required = true, nillable = true) public BigDecimal price;
  public Color color;
  public XMLGregorianCalendar when;
  @XmlSchemaType(name = "date") public XMLGregorianCalendar day;
  public Duration span;
  public byte[] bytes;
  @XmlJavaTypeAdapter(HexBinaryAdapter.class) @XmlSchemaType(name = "hexBinary") public byte[] hex;
  public QName qname;
  @XmlList public List<Integer> numbers;
  @XmlElement(name = "child") public List<Item> children = new ArrayList<>();
  @XmlElement(namespace = "urn:twin:other") public String qualified;
  @XmlElements({@XmlElement(name = "byName", type = String.class), @XmlElement(name = "byNumber", type = Integer.class)})
  public Object choice;
  @XmlMimeType("application/octet-stream") public byte[] file;
  @XmlAnyElement(lax = true) public List<Object> any = new ArrayList<>();

  private static String any(Object one) {
    return one instanceof Node node ? CanonicalXml.of(node)
        : one instanceof JAXBElement<?> element ? element.getName() + "=" + element.getValue() : one.getClass().getSimpleName();
  }

  @Override
  public String toString() {
    String all = getClass().getSimpleName() + " id=" + id + " rank=" + rank + " used=" + used + " others=" + others + " name=" + name;
    all += " count=" + count + " preset=" + preset + " presetFlag=" + presetFlag + " nillable=" + nillable + " price=" + price;
    all += " color=" + color + " when=" + when + " day=" + day + " span=" + span + " bytes=" + Arrays.toString(bytes);
    all += " hex=" + Arrays.toString(hex) + " qname=" + qname + " numbers=" + numbers + " children=" + children;
    all += " qualified=" + qualified + " choice=" + (choice == null ? "null" : choice.getClass().getSimpleName() + choice);
    return all + " file=" + Arrays.toString(file) + " any=" + any.stream().map(Item::any).collect(Collectors.toList());
  }
}
