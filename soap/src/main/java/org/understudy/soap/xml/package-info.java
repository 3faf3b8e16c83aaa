/** XML from outside, read within limits, and elements copied out of it. */
package org.understudy.soap.xml;
