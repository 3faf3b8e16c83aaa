package org.understudy.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import jakarta.xml.bind.JAXBContext;
import jakarta.xml.bind.JAXBException;
import jakarta.xml.bind.UnmarshalException;
import jakarta.xml.bind.Unmarshaller;
import jakarta.xml.bind.annotation.XmlAccessType;
import jakarta.xml.bind.annotation.XmlAccessorType;
import jakarta.xml.bind.annotation.XmlRootElement;
import java.io.StringReader;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** What the data binding itself reports. */
class UnknownElementsTest {
  @XmlRootElement(name = "answer")
  @XmlAccessorType(XmlAccessType.FIELD)
  static final class Answer {
    int number;
    Answer more;
  }

  private static Answer read(String content) throws JAXBException {
    Unmarshaller unmarshaller = JAXBContext.newInstance(Answer.class).createUnmarshaller();
    unmarshaller.setEventHandler(new UnknownElements());
    return (Answer) unmarshaller.unmarshal(new StringReader("<answer>" + content + "</answer>"));
  }

  @Test
  void unknownElementsAreSkippedInAnyLanguage() throws Exception {
    Locale before = Locale.getDefault();
    try {
      for (Locale language : new Locale[] {Locale.ROOT, Locale.GERMAN, Locale.JAPANESE, Locale.CHINESE}) {
        Locale.setDefault(language);
        Answer answer =
            read("<new><deep>1</deep></new><number>5</number><x:other xmlns:x='urn:a:\"b'/><more><new/><number>7</number></more>");
        assertEquals(5, answer.number);
        assertEquals(7, answer.more.number);
      }
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void invalidContentFails() {
    for (String content : new String[] {"<number>five</number>", "<number>(uri:\"a\", local:\"b\")</number>"}) {
      assertThrows(UnmarshalException.class, () -> read(content), content);
    }
    assertThrows(UnmarshalException.class, () -> read("<number>1</number></answer><another>"));
  }
}
