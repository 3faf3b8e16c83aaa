/** Reading XML from outside within limits, copying elements, and names that were probably meant. */
package org.understudy.soap.xml;
