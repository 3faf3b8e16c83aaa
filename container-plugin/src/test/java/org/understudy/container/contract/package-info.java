/** Services of contracts as the tools of others write them. */
@XmlSchema(namespace = "urn:mail:messages", elementFormDefault = XmlNsForm.QUALIFIED)
package org.understudy.container.contract;

import jakarta.xml.bind.annotation.XmlNsForm;
import jakarta.xml.bind.annotation.XmlSchema;
