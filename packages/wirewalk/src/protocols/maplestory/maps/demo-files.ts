/** Made by `npm run build:maps` from packages/wirewalk/maps/maplestory: change those files. */
export const demoFiles: Readonly<Record<string, string>> = {
  "Map.wz/Map/Map0/000000001.img.xml": `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<imgdir name="000000001.img">
  <imgdir name="info">
    <int name="version" value="10"/>
    <string name="mapName" value="Hillside"/>
    <int name="swim" value="0"/>
    <int name="fly" value="0"/>
    <int name="fieldLimit" value="0"/>
  </imgdir>
  <imgdir name="life">
    <imgdir name="0">
      <string name="type" value="m"/>
      <string name="id" value="0100100"/>
      <int name="x" value="-350"/>
      <int name="y" value="190"/>
      <int name="fh" value="0"/>
    </imgdir>
    <imgdir name="1">
      <string name="type" value="m"/>
      <string name="id" value="0100100"/>
      <int name="x" value="100"/>
      <int name="y" value="270"/>
      <int name="fh" value="0"/>
    </imgdir>
    <imgdir name="2">
      <string name="type" value="m"/>
      <string name="id" value="0100100"/>
      <int name="x" value="350"/>
      <int name="y" value="300"/>
      <int name="fh" value="0"/>
    </imgdir>
    <imgdir name="3">
      <string name="type" value="m"/>
      <string name="id" value="0210100"/>
      <int name="x" value="-50"/>
      <int name="y" value="140"/>
      <int name="fh" value="0"/>
    </imgdir>
    <imgdir name="4">
      <string name="type" value="m"/>
      <string name="id" value="0210100"/>
      <int name="x" value="450"/>
      <int name="y" value="170"/>
      <int name="fh" value="0"/>
    </imgdir>
    <imgdir name="5">
      <string name="type" value="m"/>
      <string name="id" value="0210100"/>
      <int name="x" value="-200"/>
      <int name="y" value="45"/>
      <int name="fh" value="0"/>
    </imgdir>
    <imgdir name="6">
      <string name="type" value="m"/>
      <string name="id" value="0100100"/>
      <int name="x" value="-450"/>
      <int name="y" value="300"/>
      <int name="fh" value="0"/>
    </imgdir>
    <imgdir name="7">
      <string name="type" value="m"/>
      <string name="id" value="0100100"/>
      <int name="x" value="-500"/>
      <int name="y" value="190"/>
      <int name="fh" value="0"/>
    </imgdir>
    <imgdir name="8">
      <string name="type" value="m"/>
      <string name="id" value="0100100"/>
      <int name="x" value="500"/>
      <int name="y" value="300"/>
      <int name="fh" value="0"/>
    </imgdir>
    <imgdir name="9">
      <string name="type" value="m"/>
      <string name="id" value="0210100"/>
      <int name="x" value="60"/>
      <int name="y" value="140"/>
      <int name="fh" value="0"/>
    </imgdir>
    <imgdir name="10">
      <string name="type" value="m"/>
      <string name="id" value="0210100"/>
      <int name="x" value="340"/>
      <int name="y" value="170"/>
      <int name="fh" value="0"/>
    </imgdir>
    <imgdir name="11">
      <string name="type" value="m"/>
      <string name="id" value="0210100"/>
      <int name="x" value="-80"/>
      <int name="y" value="40"/>
      <int name="fh" value="0"/>
    </imgdir>
  </imgdir>
  <imgdir name="foothold">
    <imgdir name="0">
      <imgdir name="0">
        <imgdir name="1">
          <int name="x1" value="-600"/>
          <int name="y1" value="300"/>
          <int name="x2" value="-200"/>
          <int name="y2" value="300"/>
          <int name="prev" value="0"/>
          <int name="next" value="2"/>
        </imgdir>
        <imgdir name="2">
          <int name="x1" value="-200"/>
          <int name="y1" value="300"/>
          <int name="x2" value="0"/>
          <int name="y2" value="240"/>
          <int name="prev" value="1"/>
          <int name="next" value="3"/>
        </imgdir>
        <imgdir name="3">
          <int name="x1" value="0"/>
          <int name="y1" value="240"/>
          <int name="x2" value="200"/>
          <int name="y2" value="300"/>
          <int name="prev" value="2"/>
          <int name="next" value="4"/>
        </imgdir>
        <imgdir name="4">
          <int name="x1" value="200"/>
          <int name="y1" value="300"/>
          <int name="x2" value="600"/>
          <int name="y2" value="300"/>
          <int name="prev" value="3"/>
          <int name="next" value="0"/>
        </imgdir>
        <imgdir name="5">
          <int name="x1" value="-520"/>
          <int name="y1" value="190"/>
          <int name="x2" value="-300"/>
          <int name="y2" value="190"/>
          <int name="prev" value="0"/>
          <int name="next" value="0"/>
        </imgdir>
        <imgdir name="6">
          <int name="x1" value="-120"/>
          <int name="y1" value="140"/>
          <int name="x2" value="120"/>
          <int name="y2" value="140"/>
          <int name="prev" value="0"/>
          <int name="next" value="0"/>
        </imgdir>
        <imgdir name="7">
          <int name="x1" value="300"/>
          <int name="y1" value="190"/>
          <int name="x2" value="420"/>
          <int name="y2" value="170"/>
          <int name="prev" value="0"/>
          <int name="next" value="8"/>
        </imgdir>
        <imgdir name="8">
          <int name="x1" value="420"/>
          <int name="y1" value="170"/>
          <int name="x2" value="560"/>
          <int name="y2" value="170"/>
          <int name="prev" value="7"/>
          <int name="next" value="0"/>
        </imgdir>
        <imgdir name="9">
          <int name="x1" value="-280"/>
          <int name="y1" value="60"/>
          <int name="x2" value="-140"/>
          <int name="y2" value="40"/>
          <int name="prev" value="0"/>
          <int name="next" value="10"/>
        </imgdir>
        <imgdir name="10">
          <int name="x1" value="-140"/>
          <int name="y1" value="40"/>
          <int name="x2" value="-20"/>
          <int name="y2" value="40"/>
          <int name="prev" value="9"/>
          <int name="next" value="0"/>
        </imgdir>
      </imgdir>
    </imgdir>
  </imgdir>
  <imgdir name="ladderRope">
    <imgdir name="1">
      <int name="l" value="1"/>
      <int name="uf" value="1"/>
      <int name="x" value="-400"/>
      <int name="y1" value="190"/>
      <int name="y2" value="290"/>
      <int name="page" value="0"/>
    </imgdir>
    <imgdir name="2">
      <int name="l" value="0"/>
      <int name="uf" value="1"/>
      <int name="x" value="-80"/>
      <int name="y1" value="40"/>
      <int name="y2" value="130"/>
      <int name="page" value="0"/>
    </imgdir>
    <imgdir name="3">
      <int name="l" value="0"/>
      <int name="uf" value="1"/>
      <int name="x" value="500"/>
      <int name="y1" value="170"/>
      <int name="y2" value="285"/>
      <int name="page" value="0"/>
    </imgdir>
  </imgdir>
  <imgdir name="portal">
    <imgdir name="0">
      <string name="pn" value="start"/>
      <int name="pt" value="0"/>
      <int name="x" value="-500"/>
      <int name="y" value="300"/>
      <int name="tm" value="999999999"/>
      <string name="tn" value=""/>
    </imgdir>
    <imgdir name="1">
      <string name="pn" value="middle"/>
      <int name="pt" value="0"/>
      <int name="x" value="260"/>
      <int name="y" value="300"/>
      <int name="tm" value="999999999"/>
      <string name="tn" value=""/>
    </imgdir>
    <imgdir name="2">
      <string name="pn" value="east"/>
      <int name="pt" value="2"/>
      <int name="x" value="570"/>
      <int name="y" value="300"/>
      <int name="tm" value="2"/>
      <string name="tn" value="west"/>
    </imgdir>
  </imgdir>
</imgdir>
`,
  "Map.wz/Map/Map0/000000002.img.xml": `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<imgdir name="000000002.img">
  <imgdir name="info">
    <int name="version" value="10"/>
    <string name="mapName" value="Scaffold"/>
    <int name="swim" value="0"/>
    <int name="fly" value="0"/>
    <int name="fieldLimit" value="0"/>
  </imgdir>
  <imgdir name="life">
    <imgdir name="0">
      <string name="type" value="m"/>
      <string name="id" value="0210100"/>
      <int name="x" value="-200"/>
      <int name="y" value="270"/>
      <int name="fh" value="0"/>
    </imgdir>
    <imgdir name="1">
      <string name="type" value="m"/>
      <string name="id" value="0210100"/>
      <int name="x" value="200"/>
      <int name="y" value="270"/>
      <int name="fh" value="0"/>
    </imgdir>
    <imgdir name="2">
      <string name="type" value="m"/>
      <string name="id" value="0210100"/>
      <int name="x" value="0"/>
      <int name="y" value="180"/>
      <int name="fh" value="0"/>
    </imgdir>
    <imgdir name="3">
      <string name="type" value="m"/>
      <string name="id" value="0100100"/>
      <int name="x" value="-100"/>
      <int name="y" value="360"/>
      <int name="fh" value="0"/>
    </imgdir>
    <imgdir name="4">
      <string name="type" value="m"/>
      <string name="id" value="0100100"/>
      <int name="x" value="250"/>
      <int name="y" value="360"/>
      <int name="fh" value="0"/>
    </imgdir>
    <imgdir name="5">
      <string name="type" value="m"/>
      <string name="id" value="0100100"/>
      <int name="x" value="-400"/>
      <int name="y" value="360"/>
      <int name="fh" value="0"/>
    </imgdir>
    <imgdir name="6">
      <string name="type" value="m"/>
      <string name="id" value="0100100"/>
      <int name="x" value="450"/>
      <int name="y" value="360"/>
      <int name="fh" value="0"/>
    </imgdir>
    <imgdir name="7">
      <string name="type" value="m"/>
      <string name="id" value="0210100"/>
      <int name="x" value="-320"/>
      <int name="y" value="270"/>
      <int name="fh" value="0"/>
    </imgdir>
    <imgdir name="8">
      <string name="type" value="m"/>
      <string name="id" value="0210100"/>
      <int name="x" value="320"/>
      <int name="y" value="270"/>
      <int name="fh" value="0"/>
    </imgdir>
    <imgdir name="9">
      <string name="type" value="m"/>
      <string name="id" value="0210100"/>
      <int name="x" value="-150"/>
      <int name="y" value="180"/>
      <int name="fh" value="0"/>
    </imgdir>
    <imgdir name="10">
      <string name="type" value="m"/>
      <string name="id" value="0210100"/>
      <int name="x" value="-380"/>
      <int name="y" value="90"/>
      <int name="fh" value="0"/>
    </imgdir>
    <imgdir name="11">
      <string name="type" value="m"/>
      <string name="id" value="0210100"/>
      <int name="x" value="250"/>
      <int name="y" value="90"/>
      <int name="fh" value="0"/>
    </imgdir>
  </imgdir>
  <imgdir name="foothold">
    <imgdir name="0">
      <imgdir name="0">
        <imgdir name="1">
          <int name="x1" value="-500"/>
          <int name="y1" value="360"/>
          <int name="x2" value="500"/>
          <int name="y2" value="360"/>
          <int name="prev" value="0"/>
          <int name="next" value="0"/>
        </imgdir>
        <imgdir name="2">
          <int name="x1" value="-360"/>
          <int name="y1" value="270"/>
          <int name="x2" value="-120"/>
          <int name="y2" value="270"/>
          <int name="prev" value="0"/>
          <int name="next" value="0"/>
        </imgdir>
        <imgdir name="3">
          <int name="x1" value="120"/>
          <int name="y1" value="270"/>
          <int name="x2" value="360"/>
          <int name="y2" value="270"/>
          <int name="prev" value="0"/>
          <int name="next" value="0"/>
        </imgdir>
        <imgdir name="4">
          <int name="x1" value="-200"/>
          <int name="y1" value="180"/>
          <int name="x2" value="200"/>
          <int name="y2" value="180"/>
          <int name="prev" value="0"/>
          <int name="next" value="0"/>
        </imgdir>
        <imgdir name="5">
          <int name="x1" value="-420"/>
          <int name="y1" value="90"/>
          <int name="x2" value="-240"/>
          <int name="y2" value="90"/>
          <int name="prev" value="0"/>
          <int name="next" value="6"/>
        </imgdir>
        <imgdir name="6">
          <int name="x1" value="-240"/>
          <int name="y1" value="90"/>
          <int name="x2" value="-140"/>
          <int name="y2" value="120"/>
          <int name="prev" value="5"/>
          <int name="next" value="0"/>
        </imgdir>
        <imgdir name="7">
          <int name="x1" value="160"/>
          <int name="y1" value="90"/>
          <int name="x2" value="400"/>
          <int name="y2" value="90"/>
          <int name="prev" value="0"/>
          <int name="next" value="0"/>
        </imgdir>
      </imgdir>
    </imgdir>
  </imgdir>
  <imgdir name="ladderRope">
    <imgdir name="1">
      <int name="l" value="1"/>
      <int name="uf" value="1"/>
      <int name="x" value="-240"/>
      <int name="y1" value="270"/>
      <int name="y2" value="350"/>
      <int name="page" value="0"/>
    </imgdir>
    <imgdir name="2">
      <int name="l" value="1"/>
      <int name="uf" value="1"/>
      <int name="x" value="240"/>
      <int name="y1" value="270"/>
      <int name="y2" value="350"/>
      <int name="page" value="0"/>
    </imgdir>
    <imgdir name="3">
      <int name="l" value="0"/>
      <int name="uf" value="1"/>
      <int name="x" value="-160"/>
      <int name="y1" value="180"/>
      <int name="y2" value="262"/>
      <int name="page" value="0"/>
    </imgdir>
    <imgdir name="4">
      <int name="l" value="1"/>
      <int name="uf" value="1"/>
      <int name="x" value="180"/>
      <int name="y1" value="90"/>
      <int name="y2" value="172"/>
      <int name="page" value="0"/>
    </imgdir>
  </imgdir>
  <imgdir name="portal">
    <imgdir name="0">
      <string name="pn" value="west"/>
      <int name="pt" value="2"/>
      <int name="x" value="-460"/>
      <int name="y" value="360"/>
      <int name="tm" value="1"/>
      <string name="tn" value="east"/>
    </imgdir>
    <imgdir name="1">
      <string name="pn" value="top"/>
      <int name="pt" value="0"/>
      <int name="x" value="300"/>
      <int name="y" value="90"/>
      <int name="tm" value="999999999"/>
      <string name="tn" value=""/>
    </imgdir>
  </imgdir>
</imgdir>
`,
  "Mob.wz/0100100.img.xml": `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<imgdir name="0100100.img">
  <imgdir name="info">
    <int name="speed" value="-36"/>
  </imgdir>
</imgdir>
`,
  "Mob.wz/0210100.img.xml": `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<imgdir name="0210100.img">
  <imgdir name="info">
    <int name="speed" value="-52"/>
    <int name="maxMP" value="400"/>
    <imgdir name="skill">
      <imgdir name="0">
        <int name="skill" value="121"/>
        <int name="level" value="1"/>
      </imgdir>
      <imgdir name="1">
        <int name="skill" value="110"/>
        <int name="level" value="3"/>
      </imgdir>
    </imgdir>
  </imgdir>
</imgdir>
`,
  "Skill.wz/MobSkill.img.xml": `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<imgdir name="MobSkill.img">
  <imgdir name="110">
    <imgdir name="level">
      <imgdir name="3">
        <int name="mpCon" value="5"/>
        <int name="interval" value="10"/>
      </imgdir>
    </imgdir>
  </imgdir>
  <imgdir name="121">
    <imgdir name="level">
      <imgdir name="1">
        <int name="mpCon" value="60"/>
        <int name="interval" value="20"/>
      </imgdir>
    </imgdir>
  </imgdir>
</imgdir>
`,
};
