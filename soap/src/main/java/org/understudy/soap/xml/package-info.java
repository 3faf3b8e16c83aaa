/** Reading XML from outside within limits, and copying elements. */
package org.understudy.soap.xml;
