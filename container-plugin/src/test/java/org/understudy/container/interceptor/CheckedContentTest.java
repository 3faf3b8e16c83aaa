package org.understudy.container.interceptor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.transform.stream.StreamSource;
import org.apache.cxf.binding.soap.SoapFault;
import org.apache.ws.commons.schema.XmlSchemaCollection;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.Soap;

/** Declarations of schemas that are written by hand. */
class CheckedContentTest {
  private static final String SCHEMA = """
      <xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns:t='urn:t' targetNamespace='urn:t' elementFormDefault='qualified'>
        <xs:simpleType name='small'><xs:restriction base='xs:int'><xs:maxInclusive value='9'/></xs:restriction></xs:simpleType>
        <xs:simpleType name='numbers'><xs:list itemType='t:small'/></xs:simpleType>
        <xs:simpleType name='two'><xs:restriction base='t:numbers'><xs:maxLength value='2'/></xs:restriction></xs:simpleType>
        <xs:simpleType name='either'><xs:union memberTypes='xs:int xs:string'/></xs:simpleType>
        <xs:group name='pair'><xs:sequence>
          <xs:element name='left' type='xs:int'/><xs:element name='right' type='xs:int'/></xs:sequence></xs:group>
        <xs:attributeGroup name='marks'><xs:attribute name='mark' type='xs:boolean'/></xs:attributeGroup>
        <xs:complexType name='base'>
          <xs:sequence><xs:element name='size' type='xs:int' minOccurs='0'/>
            <xs:element name='extra' type='xs:int' minOccurs='0'/></xs:sequence>
          <xs:attribute name='level' type='xs:int'/>
        </xs:complexType>
        <xs:complexType name='restricted'><xs:complexContent><xs:restriction base='t:base'>
          <xs:sequence><xs:element name='size' type='t:small'/></xs:sequence>
        </xs:restriction></xs:complexContent></xs:complexType>
        <xs:complexType name='amount'><xs:simpleContent><xs:extension base='t:small'>
          <xs:attributeGroup ref='t:marks'/></xs:extension></xs:simpleContent></xs:complexType>
        <xs:complexType name='tree'><xs:sequence>
          <xs:element name='weight' type='xs:int'/><xs:element name='branch' type='t:tree' minOccurs='0' maxOccurs='unbounded'/>
        </xs:sequence></xs:complexType>
        <xs:element name='head' type='xs:anyType' abstract='true'/>
        <xs:element name='leaf' type='xs:int' substitutionGroup='t:head'/>
        <xs:element name='twig' type='xs:string' substitutionGroup='t:leaf'/>
        <xs:element name='call'><xs:complexType><xs:sequence>
          <xs:element name='fixed' type='xs:int' fixed='5' minOccurs='0'/>
          <xs:element name='small' type='t:small' minOccurs='0'/>
          <xs:element name='two' type='t:two' minOccurs='0'/>
          <xs:element name='either' type='t:either' minOccurs='0'/>
          <xs:group ref='t:pair' minOccurs='0'/>
          <xs:element name='restricted' type='t:restricted' minOccurs='0'/>
          <xs:element name='amount' type='t:amount' minOccurs='0'/>
          <xs:element name='tree' type='t:tree' minOccurs='0'/>
          <xs:element ref='t:head' minOccurs='0'/>
          <xs:choice minOccurs='0'><xs:element name='number' type='xs:int'/><xs:element name='word' type='xs:string'/></xs:choice>
          <xs:any namespace='##other' processContents='skip' minOccurs='0'/>
        </xs:sequence></xs:complexType></xs:element>
        <xs:element name='other'><xs:complexType><xs:sequence>
          <xs:element name='either' type='xs:int'/></xs:sequence></xs:complexType></xs:element>
      </xs:schema>""";

  private static void check(String content) throws XMLStreamException {
    XmlSchemaCollection schemas = new XmlSchemaCollection();
    schemas.read(new StreamSource(new StringReader(SCHEMA)));
    String call = "<t:call xmlns:t='urn:t' xmlns:i='http://www.w3.org/2001/XMLSchema-instance'>" + content + "</t:call>";
    CheckedContent checked = new CheckedContent(
        XMLInputFactory.newDefaultFactory().createXMLStreamReader(new StringReader(Soap.envelope("", call))),
        MessageSchema.of(schemas), new QName("sender"));
    assertTrue(checked.isWhole());
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "<t:fixed/>", "<t:fixed>5</t:fixed>", "<t:small> 9 </t:small>", "<t:two>1 2</t:two>", "<t:two/>", "<t:either>x</t:either>",
      "<t:left>1</t:left><t:right>2</t:right>", "<t:restricted level='1'><t:size>1</t:size></t:restricted>",
      "<t:amount mark='1'>3</t:amount>", "<t:leaf>4</t:leaf>", "<t:twig>x</t:twig>", "<t:number>1</t:number>", "<t:word>x</t:word>",
      "<t:tree><t:weight>1</t:weight><t:branch><t:weight>2</t:weight></t:branch></t:tree>",
      "<z:left xmlns:z='urn:z'><t:left>x</t:left><t:other/></z:left>", "<left xmlns=''>x</left>",
      "<t:restricted><t:size>1</t:size><t:extra>x</t:extra></t:restricted>"})
  void validContentIsAccepted(String content) throws Exception {
    check(content);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "<t:fixed> </t:fixed> | The content of the element fixed is not a valid xs:int.",
      "<t:small/> | The content of the element small is not a valid xs:int.",
      "<t:two>1 x</t:two> | The content of the element two is not a valid xs:int.",
      "<t:left>1</t:left><t:right>x</t:right> | The content of the element right is not a valid xs:int.",
      "<t:restricted level='x'><t:size>1</t:size></t:restricted> | The attribute level of the element restricted is not a valid xs:int.",
      "<t:restricted/> | The element restricted lacks the element size.",
      "<t:amount mark='yes'>3</t:amount> | The attribute mark of the element amount is not a valid xs:boolean.",
      "<t:amount>x</t:amount> | The content of the element amount is not a valid xs:int.",
      "<t:leaf/> | The content of the element leaf is not a valid xs:int.",
      "<t:number>x</t:number> | The content of the element number is not a valid xs:int.",
      "<t:tree><t:weight>1</t:weight><t:branch/></t:tree> | The element branch lacks the element weight.",
      "<t:tree><t:weight i:nil='true'/></t:tree> | The element weight must not be nil."})
  void whatTheDataBindingWouldReplaceIsRejected(String content, String reason) {
    assertEquals(reason, assertThrows(SoapFault.class, () -> check(content)).getReason());
  }
}
